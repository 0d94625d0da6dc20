"""What the files of Unity say, pure: bytes in, facts out."""
