"""Unity's own reports of builds."""
