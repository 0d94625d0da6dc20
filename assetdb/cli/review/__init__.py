"""Commands that review a project: findings, unused assets, coverage, the installation."""
