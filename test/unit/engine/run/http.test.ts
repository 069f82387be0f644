import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { sendGuardedRequest } from '#network/guardedRequest.ts';
import { isPrivateAddress } from '#network/privateNetwork.ts';
import { runNodeAlone } from '../nodes/nodeRun.ts';
import { createTestServices } from './engineFixture.ts';

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
	let handleRequest: (request: Seen, response: http.ServerResponse) => void = () => {};

	before(done => {
		server = http.createServer(async (request, response) => {
			const last = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: await text(request) };
			seen.push(last);
			handleRequest(last, response);
		});
		server.listen(0, '127.0.0.1', () => {
			base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			done();
		});
	});
	beforeEach(() => {
		seen = [];
		handleRequest = (_, response) => response.setHeader('content-type', 'text/plain').end('ok');
	});
	after(() => {
		server.closeAllConnections();
		server.close();
	});

	const createOpenServices = () => createTestServices(undefined, { allowPrivateNetwork: true });
	const createFileServices = (add: (file: { name: string; mimeType: string; bytes: Uint8Array; user: string }) => void) => ({
		...createOpenServices(),
		files: {
			...createOpenServices().files,
			add: async (file: Parameters<typeof add>[0]) => {
				add(file);
				return { id: 'kept', url: '/v1/agent/files/kept/preview' };
			},
		},
	});
	const sendRequest = (
		settings: object,
		inputs: Readonly<Record<string, unknown>> = {},
		services: EngineServices = createOpenServices(),
		options = {},
	) => runNodeAlone({ type: 'http-request', method: 'get', url: `${base}/x`, ...settings }, inputs, services, options);

	it('sends every method, with references in address, parameters and headers', async () => {
		for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']) {
			const { outputs } = await sendRequest(
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
		assert.equal(first?.url, '/%C3%A4%20b?p=%C3%A4+b&empty=');
		assert.equal(first?.headers['x-b'], 'b:c');
	});

	it('supports every kind of key, and reveals none', async () => {
		for (const [config, header, value] of [
			[{ type: 'bearer', api_key: 'K' }, 'authorization', 'Bearer K'],
			[{ type: 'basic', api_key: 'u:p' }, 'authorization', `Basic ${Buffer.from('u:p').toString('base64')}`],
			[{ type: 'basic', api_key: 'abc' }, 'authorization', 'Basic abc'],
			[{ type: 'custom', header: 'X-My', api_key: 'K' }, 'x-my', 'K'],
		] as const) {
			await sendRequest({ authorization: { type: 'api-key', config } });
			assert.equal(seen.at(-1)?.headers[header], value);
		}
		const { record } = await sendRequest({
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
		const createData = (...items: object[]) => items.map(item => ({ type: 'text', ...item }));
		const sendBody = async (type: string, items: readonly object[]) => {
			await sendRequest({ method: 'post', body: { type, data: items } }, { a: 'x "y"', n: 'ü' });
			return seen.at(-1) as Seen;
		};
		assert.equal((await sendBody('none', [])).body, '');
		assert.equal((await sendBody('raw-text', createData({ value: 'a={{#start.a#}}' }))).body, 'a=x "y"');
		const json = await sendBody(
			'json',
			createData({ value: '{"in": "<{{#start.a#}}>", "whole": {{#start.a#}}, "sys": {{#sys.files#}},}' }),
		);
		assert.deepEqual(JSON.parse(json.body), { in: '<x "y">', whole: 'x "y"', sys: [] });
		assert.equal(json.headers['content-type'], 'application/json');
		const form = await sendBody(
			'x-www-form-urlencoded',
			createData({ key: 'k', value: '{{#start.a#}}' }, { key: 'n', value: '{{#start.n#}}' }),
		);
		assert.equal(form.body, 'k=x+%22y%22&n=%C3%BC');
		const multipart = await sendBody('form-data', createData({ key: 'k"', value: '{{#start.a#}}' }));
		assert.match(String(multipart.headers['content-type']), /^multipart\/form-data; boundary=/);
		assert.match(multipart.body, /name="k%22"\r\n\r\nx "y"\r\n--/);
		// the hosted service sends an empty part in a form without files
		const placeholder = /name="__multipart_placeholder__"\r\nContent-Type: application\/octet-stream\r\n\r\n\r\n--[^\r\n]*--\r\n$/;
		assert.match(multipart.body, placeholder);
		await sendRequest({ method: 'post', body: { type: 'raw-text', data: 'older form' } });
		assert.equal(seen.at(-1)?.body, 'older form');
	});

	it('sends uploaded files', async () => {
		const services = {
			...createOpenServices(),
			files: {
				...createTestServices().files,
				describeUpload: () => ({ name: 'a.bin', mimeType: 'application/x-a', size: 3 }),
				readUpload: async () => new Uint8Array([65, 0, 66]),
			},
		};
		const file = { type: 'custom', transfer_method: 'local_file', upload_file_id: 'u' } as const;
		const postFile = (body: object) =>
			runNodeAlone({ type: 'http-request', method: 'post', url: base, body }, {}, services, { files: [file] });
		await postFile({ type: 'binary', data: [{ type: 'file', key: '', value: '', file: ['sys', 'files'] }] });
		assert.deepEqual([seen.at(-1)?.body, seen.at(-1)?.headers['content-type']], ['A\u0000B', undefined]);
		await postFile({ type: 'form-data', data: [{ type: 'file', key: 'f', value: '', file: ['sys', 'files'] }] });
		assert.match(String(seen.at(-1)?.body), /name="f"; filename="a\.bin"\r\nContent-Type: application\/x-a\r\n\r\nA\0B\r\n/);
		assert.doesNotMatch(String(seen.at(-1)?.body), /placeholder/);
	});

	it('sends no form that would fill the memory with one file that is listed often', async () => {
		const content = Buffer.alloc(15 * 1024 * 1024);
		const describeUpload = () => ({ name: 'a.bin', mimeType: 'application/x-a', size: content.length });
		const files = { ...createTestServices().files, describeUpload, readUpload: async () => content };
		const body = { type: 'form-data', data: [{ type: 'file', key: 'f', value: '', file: ['sys', 'files'] }] };
		const file = { type: 'custom', transfer_method: 'local_file', upload_file_id: 'u' } as const;
		const settings = { type: 'http-request', method: 'post', url: base, body };
		const { error } = await runNodeAlone(settings, {}, { ...createOpenServices(), files }, { files: Array(20).fill(file) });
		assert.match(String(error), /The files are larger than 128 MB in total/);
		assert.equal(seen.length, 0);
	});

	it('decompresses responses', async () => {
		handleRequest = (_, response) =>
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zlib.gzipSync('{"a":"ü"}'));
		assert.equal((await sendRequest({})).outputs['body'], '{"a":"ü"}');
	});

	it("stores a response that isn't text as a file, once", async () => {
		handleRequest = (_, response) =>
			response.writeHead(200, { 'content-type': 'image/png', 'content-disposition': 'inline; filename="p.png"' }).end('PNG');
		const kept: unknown[] = [];
		const services = createFileServices(file => {
			kept.push({ ...file, bytes: Buffer.from(file.bytes).toString() });
		});
		const { outputs } = await sendRequest({}, {}, services);
		assert.deepEqual(kept, [{ name: 'p.png', mimeType: 'image/png', bytes: 'PNG', user: 'ana' }]);
		assert.equal(outputs['body'], '');
		const [file] = outputs['files'] as Record<string, unknown>[];
		assert.deepEqual(
			[file?.['type'], file?.['filename'], file?.['size'], file?.['url'], file?.['related_id'], file?.['extension']],
			['image', 'p.png', 3, '/v1/agent/files/kept/preview', 'kept', '.png'],
		);
	});

	it('sends files that are only given by address', async () => {
		handleRequest = ({ url, body }, response) =>
			url === '/file' ? response.setHeader('content-type', 'image/png').end('REMOTE') : response.setHeader('x-got', body.length).end('ok');
		for (const [url, sent] of [
			[`${base}/file`, 'REMOTE'],
			['data:text/plain;base64,REFUQQ==', 'DATA'],
		] as const) {
			const file = { type: 'document', transfer_method: 'remote_url', url } as const;
			const body = { type: 'binary', data: [{ type: 'file', key: '', value: '', file: ['sys', 'files'] }] };
			const { error } = await runNodeAlone({ type: 'http-request', method: 'post', url: base, body }, {}, createOpenServices(), {
				files: [file],
			});
			assert.deepEqual([error, seen.at(-1)?.body], [null, sent]);
		}
	});

	it('fails for an error status only if it has an error strategy or retries', async () => {
		handleRequest = (_, response) => response.writeHead(404).end('nf');
		const handled = await sendRequest({});
		assert.deepEqual([handled.error, handled.errorType], ['Request failed with status code 404', 'HTTPResponseCodeError']);
		const plain = await sendRequest({ error_strategy: 'none' });
		assert.deepEqual([plain.status, plain.outputs['status_code'], plain.outputs['body']], ['succeeded', 404, 'nf']);
	});

	it('is limited in size and time', async () => {
		handleRequest = (_, response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(1024 * 1024 + 1));
		const large = await sendRequest({});
		assert.match(String(large.error), /exceeds the limit of 1\.00 MB/);
		assert.equal(large.errorType, 'ResponseSizeError');
		handleRequest = (_, response) =>
			response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(5_000_000)));
		assert.match(String((await sendRequest({})).error), /exceeds the limit of 1\.00 MB/);
		handleRequest = () => {};
		assert.match(String((await sendRequest({ timeout: { read: 0.05 } })).error), /didn't send anything for 0\.05 seconds/);
		assert.match(String((await sendRequest({ url: 'no address' })).error), /url should start with http:\/\/ or https:\/\//);
		assert.match(String((await sendRequest({ url: 'file:///etc/passwd' })).error), /url should start with http:\/\/ or https:\/\//);
		assert.match(String((await sendRequest({ url: 'http://127.0.0.1:1/' })).error), /ECONNREFUSED/);
	});

	describe('with a response that arrives byte by byte', () => {
		let dripping: NodeJS.Timeout | undefined;
		let onByte = (_sent: number) => {};
		beforeEach(() => {
			onByte = () => {};
			handleRequest = (_, response) => {
				let sent = 0;
				response.writeHead(200, { 'content-type': 'text/plain' });
				dripping = setInterval(() => response.write('a', () => onByte(++sent)), 10);
			};
		});
		afterEach(() => clearInterval(dripping));

		it('ends with the time limit of its run', async () => {
			const { run } = await sendRequest({}, {}, createTestServices(undefined, { allowPrivateNetwork: true, maxSeconds: 0.3 }));
			assert.deepEqual([run.data.status, run.data.error], ['stopped', 'Maximum execution time exceeded: 0.3 seconds']);
		});
		it('ends when its run is stopped', async () => {
			const stop = new AbortController();
			onByte = sent => sent === 5 && stop.abort(new Error('Workflow run was stopped'));
			const { run } = await sendRequest({}, {}, createOpenServices(), { signal: stop.signal });
			assert.equal(run.data.status, 'stopped');
		});
		it('ends after its own time limit', async () => {
			const request = {
				...{ url: new URL(base), method: 'GET', headers: {}, secretHeaders: new Set<string>(), body: undefined, network: {} },
				...{ allowPrivateNetwork: true, verifyCertificates: true, getMaxBytes: () => 1024, signal: new AbortController().signal },
				...{ connectTimeoutMs: 1_000, readTimeoutMs: 1_000, totalTimeoutMs: 300 },
			};
			await assert.rejects(sendGuardedRequest(request), /^Error: The response of 127\.0\.0\.1:\d+ wasn't complete within 0\.3 seconds$/);
			handleRequest = (_, response) => setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 100);
			await assert.rejects(sendGuardedRequest(request), /wasn't complete within 0\.3 seconds/);
		});
	});

	it('follows redirects, and keeps keys with their origin', async () => {
		handleRequest = ({ url }, response) =>
			url === '/x' ? response.writeHead(302, { location: '/y' }).end() : response.setHeader('content-type', 'text/plain').end(url);
		const posted = await sendRequest({ method: 'post', body: { type: 'raw-text', data: [{ value: 'b' }] }, headers: 'Authorization: K' });
		assert.equal(posted.outputs['body'], '/y');
		assert.deepEqual(
			seen.map(({ method, body, headers }) => [method, body, headers.authorization]),
			[
				['POST', 'b', 'K'],
				['GET', '', 'K'],
			],
		);
		handleRequest = ({ url }, response) =>
			url === '/x'
				? response.writeHead(307, { location: `${base.replace('127.0.0.1', 'localhost')}/y` }).end()
				: response.setHeader('content-type', 'text/plain').end('far');
		await sendRequest({ headers: 'Authorization: K\nX-Api-Key: K\nX-Other: o' });
		assert.deepEqual(
			[seen.at(-1)?.headers.authorization, seen.at(-1)?.headers['x-api-key'], seen.at(-1)?.headers['x-other']],
			[undefined, undefined, 'o'],
		);
		handleRequest = (_, response) => response.writeHead(302, { location: '/x' }).end();
		assert.match(String((await sendRequest({})).error), /redirected more than 5 times/);
	});

	it('sends a body to another origin if the redirect keeps the method, but no secret in it, and no cookie', async () => {
		const far = `${base.replace('127.0.0.1', 'localhost')}/y`;
		handleRequest = ({ url }, response) =>
			url === '/x' ? response.writeHead(308, { location: far }).end() : response.setHeader('content-type', 'text/plain').end('far');
		const workflow = { environment_variables: [{ name: 'TOKEN', value_type: 'secret', value: 't-1a2b3c4d' }] };
		const body = (value: string) => ({ method: 'post', headers: 'Cookie: c=1', body: { type: 'raw-text', data: [{ value }] } });
		assert.equal((await sendRequest(body('order 7'), {}, createOpenServices(), { workflow })).error, null);
		assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body, seen.at(-1)?.headers.cookie], ['POST', 'order 7', undefined]);
		const before = seen.length;
		const { error } = await sendRequest(body('{"token": "{{#env.TOKEN#}}"}'), {}, createOpenServices(), { workflow });
		assert.match(String(error), /redirected to http:\/\/localhost.* but the body contains a secret/);
		assert.equal(seen.length, before + 1);
	});

	it('sends no key to another origin, whatever header contains it, and records none', async () => {
		const far = `${base.replace('127.0.0.1', 'localhost')}/y`;
		const key = 'k-9f8e7d6c';
		for (const status of [302, 307]) {
			handleRequest = ({ url }, response) =>
				url.startsWith('/x')
					? response.writeHead(status, { location: far }).end()
					: response.setHeader('content-type', 'text/plain').end('far');
			const { run: done } = await sendRequest(
				{
					method: 'post',
					url: `http://me:pass-1234@${base.slice(7)}/x/{{#env.TOKEN#}}?q={{#env.TOKEN#}}`,
					headers: 'X-Plain: {{#env.TOKEN#}}\nX-Other: o',
					authorization: { type: 'api-key', config: { type: 'custom', header: 'X-Mine', api_key: key } },
					body: { type: 'raw-text', data: [{ value: status === 302 ? `again ${key}` : 'again' }] },
				},
				{},
				createOpenServices(),
				{ workflow: { environment_variables: [{ name: 'TOKEN', value_type: 'secret', value: 't-1a2b3c4d' }] } },
			);
			const [first, second] = seen.slice(-2);
			assert.deepEqual([first?.headers['x-mine'], first?.headers.authorization], [key, `Basic ${btoa('me:pass-1234')}`]);
			assert.deepEqual([second?.headers['x-mine'], second?.headers.authorization, second?.headers['x-other']], [undefined, undefined, 'o']);
			const reported = JSON.stringify(done);
			assert.match(reported, /X-Mine: \*{6}/);
			for (const secret of [key, 't-1a2b3c4d', 'pass-1234', btoa('me:pass-1234')]) {
				assert.ok(!reported.includes(secret), secret);
			}
		}
	});

	it("checks keys, bodies and addresses with the hosted service's messages", async () => {
		const body = (type: string, ...values: string[]) => ({ type, data: values.map(value => ({ key: 'k', type: 'text', value })) });
		for (const [settings, message] of [
			[
				{ authorization: { type: 'api-key', config: { type: 'bearer', api_key: ' ' } } },
				/^API key is required for authorization but was empty\./,
			],
			[{ authorization: { type: 'api-key', config: null } }, /^authorization config is required$/],
			[{ url: '' }, /^url is required$/],
			[{ method: 'post', body: body('json', '') }, /^Failed to parse JSON: $/],
			[{ method: 'post', body: body('json', '1', '2') }, /^json body type should have exactly one item$/],
			[{ method: 'post', body: body('binary', '') }, /^cannot fetch file with selector \[\]$/],
		] as const) {
			assert.match(String((await sendRequest(settings, {}, createOpenServices())).error), message);
		}
		await sendRequest({ method: 'post', body: body('x-www-form-urlencoded', 'first', 'last') }, {}, createOpenServices());
		assert.equal(seen.at(-1)?.body, 'k=last');
	});

	it('reveals no key of an invalid address', async () => {
		const workflow = { environment_variables: [{ name: 'TOKEN', value_type: 'secret', value: 't-1a2b3c4d' }] };
		const { error, run: done } = await sendRequest({ url: 'http://[host/{{#env.TOKEN#}}' }, {}, createOpenServices(), { workflow });
		assert.match(String(error), /'http:\/\/\[host\/\*\*\*' isn't a valid URL/);
		assert.ok(!JSON.stringify(done).includes('t-1a2b3c4d'));
	});

	it('lets no value add a parameter or a header', async () => {
		const hostile = 'a\nadmin:1\r\nX-Admin: 1';
		await sendRequest({ params: 'q:{{#start.v#}}' }, { v: hostile });
		assert.deepEqual([...new URL(seen.at(-1)?.url ?? '', base).searchParams], [['q', hostile]]);
		seen = [];
		const { error } = await sendRequest({ headers: 'X-A: {{#start.v#}}' }, { v: hostile });
		assert.match(String(error), /Couldn't send the header 'X-A': its value contains a line break/);
		const keyed = await sendRequest(
			{ authorization: { type: 'api-key', config: { type: 'bearer', api_key: '{{#start.v#}}' } } },
			{ v: hostile },
		);
		assert.match(String(keyed.error), /Couldn't send the header 'Authorization'/);
		assert.deepEqual(seen, []);
	});

	it('ends if the response switches to another protocol', async () => {
		const raw = net.createServer(socket => {
			socket.on('error', () => {});
			socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
		});
		raw.listen(0, '127.0.0.1');
		await once(raw, 'listening');
		try {
			const { error } = await sendRequest({ url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/` });
			assert.match(String(error), /status 101/);
		} finally {
			raw.close();
		}
	});

	it('uses the proxy of the settings, and refuses private names before it contacts the proxy', async () => {
		const asked: string[] = [];
		const proxy = http.createServer((request, response) => {
			asked.push(request.url ?? '');
			response.setHeader('content-type', 'text/plain').end('by proxy');
		});
		proxy.listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const network = { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, environment: {} };
		const guarded = createTestServices(undefined, { allowPrivateNetwork: false, network });
		try {
			const { outputs } = await sendRequest({ url: 'http://service.test/a' }, {}, guarded);
			assert.equal(outputs['body'], 'by proxy');
			for (const url of ['http://10.1.2.3/', 'http://localhost/', 'http://[fd00::1]/']) {
				assert.equal((await sendRequest({ url }, {}, guarded)).errorType, 'PrivateAddressError', url);
			}
			assert.deepEqual(asked, ['http://service.test/a']);
		} finally {
			proxy.closeAllConnections();
			proxy.close();
		}
	});

	it('refuses private networks: by address, by name, and after a redirect', async () => {
		const sendGuardedRequest = (url: string) => sendRequest({ url }, {}, createTestServices());
		for (const url of [
			base,
			'http://localhost:1/',
			'http://[::1]:1/',
			'http://169.254.169.254/latest',
			'http://2130706433/',
			'http://0x7f.1/',
		]) {
			const { error, errorType } = await sendGuardedRequest(url);
			assert.match(String(error), /is on a private network/, url);
			assert.equal(errorType, 'PrivateAddressError');
		}
		assert.deepEqual(seen, []);
	});

	it('recognizes private addresses', () => {
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
