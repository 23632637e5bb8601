const show = () => this.shown;
console.log("before", String(show), show());
const load = () => this.settings.get("x");
load();
