import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('uploads', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway();
	});
	after(cleanUpGateways);

	async function uploadForm(form: FormData): Promise<{ status: number; json: Record<string, unknown> }> {
		const response = await fetch(`${gateway.baseUrl}/v1/agent/files/upload`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}` },
			body: form,
		});
		return { status: response.status, json: (await response.json()) as Record<string, unknown> };
	}

	function createUploadForm(
		name: string,
		bytes: Uint8Array<ArrayBuffer> | string,
		type = '',
		fields: Record<string, string> = { user: 'ana' },
	): FormData {
		const data = new FormData();
		for (const [field, value] of Object.entries(fields)) {
			data.set(field, value);
		}
		data.append('file', new Blob([bytes], { type }), name);
		return data;
	}

	const listStoredFiles = () => fs.readdirSync(path.join(gateway.data, 'uploads'));

	it('stores the exact bytes', async () => {
		const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i % 97 === 0 ? 13 : i % 89 === 0 ? 10 : i % 256));
		const { status, json } = await uploadForm(createUploadForm('photo.PNG', bytes, 'image/png'));
		assert.equal(status, 201);
		assert.deepEqual([json['name'], json['size'], json['extension'], json['mime_type']], ['photo.PNG', 300_000, 'png', 'image/png']);
		assert.deepEqual(fs.readFileSync(path.join(gateway.data, 'uploads', String(json['id']))), Buffer.from(bytes));
	});

	it('sends a file that was changed on disk completely, and the next response on the connection stays intact', async () => {
		const { json } = await uploadForm(createUploadForm('a.txt', 'x'.repeat(1000), 'text/plain'));
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const get = (address: string) =>
			new Promise<string>((resolve, reject) => {
				const headers = { authorization: `Bearer ${gateway.apiKey}` };
				http
					.get(`${gateway.baseUrl}${address}`, { agent, headers }, response => {
						let text = '';
						response.on('data', (chunk: Buffer) => {
							text += chunk;
						});
						response.on('end', () => resolve(text)).on('error', reject);
					})
					.on('error', reject);
			});
		for (const text of ['y'.repeat(100), 'z'.repeat(5000)]) {
			fs.writeFileSync(path.join(gateway.data, 'uploads', String(json['id'])), text);
			assert.equal(await get(`/v1/agent/files/${json['id']}/preview`), text);
			assert.ok(JSON.parse(await get('/healthz')));
		}
		agent.destroy();
	});

	it('never trusts a file name', async () => {
		for (const name of ['../../escape.txt', '..\\..\\escape.txt', '/etc/passwd', 'a\u0000b.txt']) {
			const { status, json } = await uploadForm(createUploadForm(name, 'x'));
			assert.equal(status, 201);
			assert.doesNotMatch(String(json['name']), /[/\\\u0000]/);
		}
		assert.ok(listStoredFiles().every(name => /^[0-9a-f-]{36}$/.test(name)));
		assert.ok(!fs.existsSync(path.join(gateway.data, '../escape.txt')));
	});

	it("refuses invalid uploads with Dify's messages and leaves no file behind", async () => {
		const before = listStoredFiles();
		const two = createUploadForm('a.txt', 'x');
		two.append('file', new Blob(['y']), 'b.txt');
		const none = new FormData();
		none.set('user', 'ana');
		const cases: readonly (readonly [FormData, number, string])[] = [
			[none, 400, 'no_file_uploaded'],
			[two, 400, 'too_many_files'],
			[createUploadForm('..', 'x'), 400, 'filename_not_exists_error'],
			[createUploadForm('setup.exe', 'x'), 415, 'unsupported_file_type'],
			[createUploadForm('big.png', new Uint8Array(10 * 1024 * 1024 + 1)), 413, 'file_too_large'],
			[createUploadForm('a.txt', 'x', '', {}), 400, 'invalid_param'],
		];
		for (const [data, status, code] of cases) {
			const answer = await uploadForm(data);
			assert.deepEqual([answer.status, answer.json['code']], [status, code]);
		}
		assert.deepEqual(listStoredFiles(), before);
	});

	it('answers the next request on a connection whose form was refused early', async () => {
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="setup.exe"\r\n\r\n';
		const refused = await send(
			agent,
			'POST',
			'/v1/agent/files/upload',
			Buffer.concat([Buffer.from(head), Buffer.alloc(4 * 2 ** 20), Buffer.from('\r\n--b--\r\n')]),
		);
		assert.equal(refused, 415);
		assert.equal(await send(agent, 'GET', '/healthz'), 200);
		agent.destroy();
	});

	for (const [what, part] of [
		['many fields', 'content-disposition: form-data; name="a"\r\n\r\n\r\n'],
		['long fields', `content-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(60_000)}\r\n`],
		['fields with long names', `content-disposition: form-data; name="${'a'.repeat(10_000)}"\r\n\r\n\r\n`],
	] as const) {
		it(`refuses a chunked form with ${what} before it is stored`, async () => {
			let sent = 0;
			const [status, body] = await sendChunkedForm(() => (sent++ < 1_000 ? Buffer.from(`--b\r\n${part}`) : undefined));
			assert.equal(status, 413, body);
			assert.match(body, /The form has too many fields, or they are too long\. The limit is 100 fields with a total of 65536 bytes/);
		});
	}

	it('refuses a form that continues endlessly after its file', async () => {
		const before = listStoredFiles();
		const megabyte = Buffer.alloc(2 ** 20);
		const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nx\r\n--b--\r\n');
		let sent = 0;
		const [status, body] = await sendChunkedForm(() => (sent++ === 0 ? head : sent < 200 ? megabyte : undefined));
		assert.equal(status, 413, body);
		assert.deepEqual(listStoredFiles(), before);
	});

	/** Sends a form without a length; `next` returns its bytes. Resolves with status and body once the whole response has arrived. */
	function sendChunkedForm(next: () => Buffer | undefined): Promise<[number | undefined, string]> {
		return new Promise((resolve, reject) => {
			const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'multipart/form-data; boundary=b' };
			const request = http.request(`${gateway.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers }, async response => {
				const chunks = await response.toArray();
				resolve([response.statusCode, Buffer.concat(chunks).toString()]);
			});
			request.once('error', reject);
			const body = new Readable({
				read() {
					this.push(next() ?? null);
				},
			});
			body.pipe(request);
		});
	}

	/** Resolves with the status once the whole response has arrived. */
	function send(agent: http.Agent, method: string, target: string, body = Buffer.alloc(0)): Promise<number | undefined> {
		return new Promise((resolve, reject) => {
			const headers = {
				authorization: `Bearer ${gateway.apiKey}`,
				'content-type': 'multipart/form-data; boundary=b',
				'content-length': body.length,
			};
			http
				.request(gateway.baseUrl + target, { method, agent, headers }, response => {
					response.resume().once('end', () => resolve(response.statusCode));
				})
				.once('error', reject)
				.end(body);
		});
	}

	it("refuses a body that isn't a form", async () => {
		const send = (body: string, type: string) => gateway.send('POST', '/v1/agent/files/upload', body, { 'content-type': type });
		assert.equal((await send('{}', 'application/json')).json.code, 'no_file_uploaded');
		assert.match((await send('--b\r\n', 'multipart/form-data; boundary=b')).json.message, /the form is incomplete/);
		assert.match((await send('--b\r\nx: y\r\n\r\n\r\n--b--', 'multipart/form-data; boundary=b')).json.message, /no name/);
	});
});
