"""`python -m sitegen` is the `sitegen` command."""

from sitegen.commands.main import main

if __name__ == "__main__":
    main()
