import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { isPrivateAddress } from '../../../../src/gateway/engine/net/privateNetwork.ts';
import { testServices } from '../engineFixture.ts';
import { runNodeAlone } from './nodeRun.ts';

interface Seen {
	readonly method: string;
	readonly url: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: string;
}

describe('http-request', () => {
	let server: http.Server;
	let base = '';
	let seen: Seen[] = [];
	let answer: (request: Seen, response: http.ServerResponse) => void = () => {};

	before(done => {
		server = http.createServer(async (request, response) => {
			const last = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: await text(request) };
			seen.push(last);
			answer(last, response);
		});
		server.listen(0, '127.0.0.1', () => {
			base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			done();
		});
	});
	beforeEach(() => {
		seen = [];
		answer = (_, response) => response.setHeader('content-type', 'text/plain').end('ok');
	});
	after(() => {
		server.closeAllConnections();
		server.close();
	});

	const open = () => testServices(undefined, { allowPrivateNetwork: true });
	const send = (settings: object, inputs: Readonly<Record<string, unknown>> = {}, services = open()) =>
		runNodeAlone({ type: 'http-request', method: 'get', url: `${base}/x`, ...settings }, inputs, services);

	it('sends every method, with references in address, parameters and headers', async () => {
		for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']) {
			const { outputs } = await send(
				{ method, url: `${base}/{{#start.a#}}?q=1`, params: 'p:{{#start.a#}}\nempty', headers: 'X-A:{{#start.a#}}\nX-B: b:c' },
				{ a: 'ä b' },
			);
			assert.equal(outputs['status_code'], 200);
		}
		assert.deepEqual(
			seen.map(request => request.method),
			['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
		);
		const [first] = seen;
		assert.equal(first?.url, '/%C3%A4%20b?q=1&p=%C3%A4+b&empty=');
		assert.equal(first?.headers['x-b'], 'b:c');
	});

	it('knows every kind of key, and tells none', async () => {
		for (const [config, header, value] of [
			[{ type: 'bearer', api_key: 'K' }, 'authorization', 'Bearer K'],
			[{ type: 'basic', api_key: 'u:p' }, 'authorization', `Basic ${Buffer.from('u:p').toString('base64')}`],
			[{ type: 'basic', api_key: 'abc' }, 'authorization', 'Basic abc'],
			[{ type: 'custom', header: 'X-My', api_key: 'K' }, 'x-my', 'K'],
		] as const) {
			await send({ authorization: { type: 'api-key', config } });
			assert.equal(seen.at(-1)?.headers[header], value);
		}
		const { record } = await send({
			authorization: { type: 'api-key', config: { type: 'bearer', api_key: 'SECRET' } },
			params: 'api_key:SECRET',
		});
		assert.ok(!JSON.stringify(record).includes('SECRET'));
		assert.match(
			String(record.process_data?.['request']),
			/^GET \/x\?api_key=\*{6} HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nAuthorization: \*{6}$/,
		);
	});

	it('sends every kind of body', async () => {
		const data = (...items: object[]) => items.map(item => ({ type: 'text', ...item }));
		const body = async (type: string, items: readonly object[]) => {
			await send({ method: 'post', body: { type, data: items } }, { a: 'x "y"', n: 'ü' });
			return seen.at(-1) as Seen;
		};
		assert.equal((await body('none', [])).body, '');
		assert.equal((await body('raw-text', data({ value: 'a={{#start.a#}}' }))).body, 'a=x "y"');
		const json = await body('json', data({ value: '{"in": "<{{#start.a#}}>", "whole": {{#start.a#}}, "sys": {{#sys.files#}},}' }));
		assert.deepEqual(JSON.parse(json.body), { in: '<x "y">', whole: 'x "y"', sys: [] });
		assert.equal(json.headers['content-type'], 'application/json');
		const form = await body('x-www-form-urlencoded', data({ key: 'k', value: '{{#start.a#}}' }, { key: 'n', value: '{{#start.n#}}' }));
		assert.equal(form.body, 'k=x+%22y%22&n=%C3%BC');
		const multipart = await body('form-data', data({ key: 'k"', value: '{{#start.a#}}' }));
		assert.match(String(multipart.headers['content-type']), /^multipart\/form-data; boundary=/);
		assert.match(multipart.body, /name="k%22"\r\n\r\nx "y"\r\n--/);
		await send({ method: 'post', body: { type: 'raw-text', data: 'older form' } });
		assert.equal(seen.at(-1)?.body, 'older form');
	});

	it('sends uploaded files', async () => {
		const services = {
			...open(),
			files: { describe: () => ({ name: 'a.bin', mimeType: 'application/x-a', size: 3 }), read: async () => new Uint8Array([65, 0, 66]) },
		};
		const file = { type: 'custom', transfer_method: 'local_file', upload_file_id: 'u' } as const;
		const run = (body: object) => runNodeAlone({ type: 'http-request', method: 'post', url: base, body }, {}, services, { files: [file] });
		await run({ type: 'binary', data: [{ type: 'file', key: '', value: '', file: ['sys', 'files'] }] });
		assert.deepEqual([seen.at(-1)?.body, seen.at(-1)?.headers['content-type']], ['A\u0000B', 'application/x-a']);
		await run({ type: 'form-data', data: [{ type: 'file', key: 'f', value: '', file: ['sys', 'files'] }] });
		assert.match(String(seen.at(-1)?.body), /name="f"; filename="a\.bin"\r\nContent-Type: application\/x-a\r\n\r\nA\0B\r\n/);
	});

	it('unpacks replies, and gives what is no text as a file', async () => {
		answer = (_, response) =>
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zlib.gzipSync('{"a":"ü"}'));
		assert.equal((await send({})).outputs['body'], '{"a":"ü"}');
		answer = (_, response) =>
			response.writeHead(200, { 'content-type': 'image/png', 'content-disposition': 'inline; filename="p.png"' }).end('PNG');
		const { outputs } = await send({});
		const [file] = outputs['files'] as Record<string, unknown>[];
		assert.equal(outputs['body'], '');
		assert.deepEqual(
			[file?.['type'], file?.['name'], file?.['size'], file?.['url']],
			['image', 'p.png', 3, `data:image/png;base64,${btoa('PNG')}`],
		);
	});

	it('fails for a status only where it says what to do then', async () => {
		answer = (_, response) => response.writeHead(404).end('nf');
		const handled = await send({});
		assert.deepEqual([handled.error, handled.errorType], ['Request failed with status code 404', 'HTTPResponseCodeError']);
		const plain = await send({ error_strategy: 'none' });
		assert.deepEqual([plain.status, plain.outputs['status_code'], plain.outputs['body']], ['succeeded', 404, 'nf']);
	});

	it('is bounded in size and time', async () => {
		answer = (_, response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(1024 * 1024 + 1));
		const large = await send({});
		assert.match(String(large.error), /over 1\.00 MB/);
		assert.equal(large.errorType, 'ResponseSizeError');
		answer = (_, response) =>
			response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(5_000_000)));
		assert.match(String((await send({})).error), /over 1\.00 MB/);
		answer = () => {};
		assert.match(String((await send({ timeout: { read: 0.05 } })).error), /is silent for more than 0\.05 seconds/);
		assert.match(String((await send({ url: 'no address' })).error), /"no address" is no address/);
		assert.match(String((await send({ url: 'file:///etc/passwd' })).error), /only http and https/);
		assert.match(String((await send({ url: 'http://127.0.0.1:1/' })).error), /ECONNREFUSED/);
	});

	it('follows redirects, and keeps keys with their origin', async () => {
		answer = ({ url }, response) =>
			url === '/x' ? response.writeHead(302, { location: '/y' }).end() : response.setHeader('content-type', 'text/plain').end(url);
		const posted = await send({ method: 'post', body: { type: 'raw-text', data: [{ value: 'b' }] }, headers: 'Authorization: K' });
		assert.equal(posted.outputs['body'], '/y');
		assert.deepEqual(
			seen.map(({ method, body, headers }) => [method, body, headers.authorization]),
			[
				['POST', 'b', 'K'],
				['GET', '', 'K'],
			],
		);
		answer = ({ url }, response) =>
			url === '/x'
				? response.writeHead(307, { location: `${base.replace('127.0.0.1', 'localhost')}/y` }).end()
				: response.setHeader('content-type', 'text/plain').end('far');
		await send({ headers: 'Authorization: K\nX-Api-Key: K\nX-Other: o' });
		assert.deepEqual(
			[seen.at(-1)?.headers.authorization, seen.at(-1)?.headers['x-api-key'], seen.at(-1)?.headers['x-other']],
			[undefined, undefined, 'o'],
		);
		answer = (_, response) => response.writeHead(302, { location: '/x' }).end();
		assert.match(String((await send({})).error), /redirects more than 5 times/);
	});

	it('refuses private networks: by address, by name, and behind a redirect', async () => {
		const guarded = (url: string) => send({ url }, {}, testServices());
		for (const url of [
			base,
			'http://localhost:1/',
			'http://[::1]:1/',
			'http://169.254.169.254/latest',
			'http://2130706433/',
			'http://0x7f.1/',
		]) {
			const { error, errorType } = await guarded(url);
			assert.match(String(error), /is in a private network/, url);
			assert.equal(errorType, 'PrivateAddressError');
		}
		assert.deepEqual(seen, []);
	});

	it('knows private addresses', () => {
		for (const address of [
			'10.1.2.3',
			'127.0.0.1',
			'172.31.0.1',
			'192.168.0.1',
			'169.254.169.254',
			'100.64.0.1',
			'0.0.0.0',
			'224.0.0.1',
			'255.255.255.255',
			'::',
			'::1',
			'::ffff:127.0.0.1',
			'::ffff:10.0.0.1',
			'fe80::1%eth0',
			'fd00::1',
			'64:ff9b::7f00:1',
			'2002:7f00:1::',
			'ff02::1',
		]) {
			assert.equal(isPrivateAddress(address), true, address);
		}
		for (const address of ['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1']) {
			assert.equal(isPrivateAddress(address), false, address);
		}
	});
});
