"""What is broken in a project: findings over its facts, reports of them, and what mends them."""
