import csv
sample = "a;b;c\n1;2;3\n4;5;6\n"
dialect = csv.Sniffer().sniff(sample)
print(dialect.delimiter, csv.Sniffer().has_header(sample))
for row in csv.reader(sample.splitlines(), dialect):
    print(row)
