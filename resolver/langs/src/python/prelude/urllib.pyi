# Addresses.
import urllib.parse as parse
