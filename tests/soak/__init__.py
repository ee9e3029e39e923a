"""Programs that test parts for minutes or hours, run by the Makefile; tests run short versions of them."""
