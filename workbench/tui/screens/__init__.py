"""One screen per area, and the screens that lie over them."""
