"""C# sources: tokens and declarations."""
