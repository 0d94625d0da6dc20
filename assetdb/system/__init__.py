"""What the operating system decides: files opened safely, what its errors mean, where long work may pause."""
