"""Programs that try parts for minutes or hours, by the Makefile; tests run short pieces of them."""
