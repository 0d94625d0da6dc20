// Browsers start no worker for a page that is opened from a disk, and the search is a worker: there it runs in a frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #channel = new MessageChannel(); // copies messages and delivers them later, as a worker does

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const { port1: outside, port2: inside } = this.#channel;
      outside.onmessage = ({ data }) => this.#tell(new MessageEvent("message", { data }));
      const scope = this.#frame.contentWindow;
      scope.document.open();
      scope.document.write("<!doctype html><body></body>");
      scope.document.close();
      scope.postMessage = (data) => inside.postMessage(data);
      this.#load(url).then(
        () => { inside.onmessage = ({ data }) => scope.dispatchEvent(new MessageEvent("message", { data })); },
        () => this.#tell(new ErrorEvent("error", { message: `cannot load ${url}` })),
      );
    }

    postMessage(data) {
      this.#channel.port1.postMessage(data);
    }

    terminate() {
      this.#channel.port1.close();
      this.#frame.remove();
    }

    #load(url) {
      return new Promise((resolve, reject) => {
        const script = this.#frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        this.#frame.contentDocument.body.append(script);
      });
    }

    #tell(event) {
      this.dispatchEvent(event);
      this[`on${event.type}`]?.(event);
    }
  };
}
