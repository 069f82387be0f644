// Loaded into VS Code's server (--import). Its web page encrypts secrets with a key of which the server hands out one half at POST …/mint-key;
// that endpoint is in code-server's own command line and not in the server itself, and without it every secret waits for three tries and is lost
// on reload. The key lives as long as the server: the page's secrets belong to its origin, which has the server's port in it.
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
