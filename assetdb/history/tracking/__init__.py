"""Which files git has, and how it stores them."""
