"""`python -m sitegen` is the `sitegen` command."""

from sitegen.cli import main

if __name__ == "__main__":
    main()
