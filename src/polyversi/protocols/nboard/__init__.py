"""NBoard, the protocol of the front end of that name, version 2: the engine's side and the referee's."""
