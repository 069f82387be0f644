// Loaded into VS Code's server (--import). The web page encrypts secrets with a key, and gets half of the key from POST …/mint-key. That
// endpoint is part of code-server's command line, not of the server. Without it, every secret waits for three retries and is lost on
// reload. The key lives as long as the server, because the page's secrets belong to its origin, which includes the server's port.
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const key = randomBytes(32);
const { emit } = http.Server.prototype;

http.Server.prototype.emit = function (event, ...args) {
	const [request, response] = args;
	if (event === 'request' && request.method === 'POST' && new URL(request.url ?? '/', 'http://server').pathname.endsWith('/mint-key')) {
		response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }).end(key);
		return true;
	}
	return emit.call(this, event, ...args);
};
