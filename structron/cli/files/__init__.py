"""Files and pipes as the commands read and write them."""
