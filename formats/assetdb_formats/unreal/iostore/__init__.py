"""IoStore containers (.utoc and .ucas), versions 1 to 10."""
