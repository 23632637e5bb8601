from email.message import EmailMessage
from email import message_from_string
m = EmailMessage(); m["Subject"] = "Hi"; m["From"] = "a@x.org"; m["To"] = "b@y.org"; m.set_content("Body text\n"); m.add_alternative("<b>Body</b>", subtype="html")
print(m["Subject"], m.get_content_type(), [p.get_content_type() for p in m.walk()])
print(message_from_string("Subject: T\nX: 1\n\nhello").get_payload())
