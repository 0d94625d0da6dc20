"""The full reader of command lines: typer, help, completion, messages for misuse."""
