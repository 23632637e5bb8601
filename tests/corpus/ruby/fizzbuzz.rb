(1..30).each do |n|
  puts case [n % 3, n % 5]
       when [0, 0] then "FizzBuzz"
       when [0, n % 5] then "Fizz"
       when [n % 3, 0] then "Buzz"
       else n
       end
end
