"""What tests share: servers, browsers, terminals, fake engines, misbehaving bots, plain reference code."""
