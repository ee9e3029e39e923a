"""`python -m polyversi` is the `polyversi` command."""

from polyversi.cli.main import main

if __name__ == "__main__":
    main()
