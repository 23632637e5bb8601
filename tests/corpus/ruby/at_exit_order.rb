at_exit { puts "registered first, runs last" }
at_exit { puts "registered last, runs first" }
puts "body"
END { puts "END block" }
$stdout.flush
warn "to stderr"
puts "done"
