rows = DATA.each_line.map { |line| line.chomp.split(",") }
header, *body = rows
records = body.map { |row| header.zip(row).to_h }
records.each { |r| puts "#{r["name"].ljust(8)} #{r["dept"].rjust(6)} #{r["pay"].to_i}" }
by = records.group_by { |r| r["dept"] }
by.sort.each { |dept, list| puts "#{dept}: #{list.sum { |r| r["pay"].to_i }} avg #{format("%.1f", list.sum { |r| r["pay"].to_f } / list.size)}" }
puts records.max_by { |r| r["pay"].to_i }["name"], DATA.eof?
__END__
name,dept,pay
Ann,eng,120
Bob,ops,80
Cid,eng,100
Dee,ops,95
