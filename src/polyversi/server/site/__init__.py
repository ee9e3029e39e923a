"""The site over HTTP: who is asking, what each role may do, and a module for each part of the site."""
