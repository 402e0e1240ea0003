-- The plugin's own version, compared with the server's when they meet.
return '0.1.0'
