at_exit { puts "cleanup" }
puts "one"
exit 3
puts "never"
