import assert from 'node:assert/strict';
import http from 'node:http';
import { strToU8, zipSync } from 'fflate';
import { DocumentReader } from '#engine/documents/documentReader.ts';
import { readDocumentText } from '#engine/documents/documents.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';
import { runNodeAlone } from '../nodes/nodeRun.ts';
import { createTestServices } from '../run/engineFixture.ts';

const readText = (name: string, content: string | Uint8Array, mimeType = '') =>
	readDocumentText({ name, mimeType, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content });

describe('document-extractor', () => {
	it('reads text and Markdown unchanged', async () => {
		assert.equal(await readText('a.txt', 'a\nü'), 'a\nü');
		assert.equal(await readText('a.MD', '# T'), '# T');
		assert.equal(await readText('noname', 'x', 'text/plain; charset=utf-8'), 'x');
	});

	it('reads the text of HTML', async () => {
		const html = `<html><head><title>T</title><style>p{}</style></head><body><h1>Big &amp; small</h1><script>bad()</script>
			<p>One <b>two</b>&nbsp;three<br>four</p><ul><li>a</li><li>b&#8364;</li></ul><table><tr><td>1</td><td>2</td></tr></table></body></html>`;
		assert.equal(await readText('a.html', html), '# Big & small\n\nOne two three\nfour\n\n- a\n- b€\n\n1 | 2');
	});

	// mocha's timeout fails the test if it doesn't end
	it('reads hostile pages in limited time', async () => {
		for (const part of ['<script', '<!--', '<', '<li ', '<script>', '</']) {
			await readText('a.html', part.repeat(300_000));
		}
		assert.equal(await readText('a.html', 'a<SCRIPT >x</Script >b<!-- <p> -->c<script>never closed'), 'abc');
	});

	it('reads HTML with any entity and letter, and unclosed elements', async () => {
		assert.equal(await readText('a.html', '<p>İİİ<script>x</script>&Zcaron;&notin;&nbsp;&#x1F600;</p>b'), 'İİİŽ∉ 😀\n\nb');
		assert.equal(
			await readText('a.html', '<head><title>T</title><body>a<svg><text>x</text></svg>b<table><tr><th> 1 <th>2</table>'),
			'ab\n\n1 | 2',
		);
		await assert.rejects(readText('a.html', '<div>'.repeat(5000)), /more than 2000 levels/);
	});

	it('reads texts in their charset', async () => {
		const latin = Uint8Array.from([...'<p>é</p>'].map(character => character.charCodeAt(0)));
		assert.equal(await readText('a', latin, 'text/html; charset=ISO-8859-1'), 'é');
		assert.equal(await readText('a.html', latin), 'é');
		assert.equal(await readText('a.html', '<meta charset="utf-8"><p>é</p>'), 'é');
		const named = Buffer.from('<meta http-equiv="content-type" content="text/html; charset=windows-1251"><p>\xcf</p>', 'latin1');
		assert.equal(await readText('a.html', named), 'П');
		assert.equal(await readText('a.txt', new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe9, 0])), 'Aé');
		assert.equal(await readText('a.txt', Buffer.from('é'), 'text/plain; charset=no-such'), 'é');
	});

	it('reads texts that declare UTF-16, but were saved in UTF-8', async () => {
		const xml = '<?xml version="1.0" encoding="utf-16"?><a>é</a>';
		assert.equal(await readText('a.xml', xml), xml);
		assert.equal(await readText('a.html', '<meta charset="unicode"><p>é</p>'), 'é');
		assert.equal(await readText('a.xml', Buffer.from(`\ufeff${xml}`, 'utf16le')), xml);
	});

	it('refuses tables that expand to more than the memory limit', async () => {
		await assert.rejects(readText('a.csv', `${'a,'.repeat(50_000)}\n${'x\n'.repeat(50_000)}`), /more than 500000 cells/);
		await assert.rejects(readText('a.csv', `a\n${','.repeat(600_000)}`), /more than 500000 cells/);
		await assert.rejects(readText('a.txt', 'x'.repeat(10_000_001)), /longer than 10000000 characters/);
	});

	it('reads CSV as a table', async () => {
		assert.equal(await readText('a.csv', 'name;n\r\n"a|b; ""q""";1\r\nx\r\n'), '| name | n |\n| --- | --- |\n| a\\|b; "q" | 1 |\n| x |  |');
		assert.equal(await readText('a.csv', ''), '');
		assert.equal(await readText('a.csv', '"Name, first, last";n\nAnn;5\n'), '| Name, first, last | n |\n| --- | --- |\n| Ann | 5 |');
		assert.equal(await readText('a.csv', 'sep=|\r\nname|n\r\nAnn|5\r\n'), '| name | n |\n| --- | --- |\n| Ann | 5 |');
		assert.equal(await readText('a.csv', 'name,n\r"a\rb",5\r'), '| name | n |\n| --- | --- |\n| a b | 5 |');
	});

	it('keeps the cells of rows that are longer than the first', async () => {
		const text = '| Report |  |\n| --- | --- |\n| name | n |\n| Ann | 5 |';
		assert.equal(await readText('a.csv', 'Report\nname,n\nAnn,5,\n'), text);
	});

	it('reads JSON, even invalid JSON', async () => {
		assert.equal(await readText('a.json', '{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
		assert.equal(await readText('a.json', '{broken'), '{broken');
	});

	it('reads Word documents', async () => {
		const xml =
			'<w:document><w:body><w:p><w:r><w:t>A &amp; B</w:t></w:r></w:p><w:p><w:r><w:t>C</w:t><w:tab/><w:t>D</w:t></w:r></w:p></w:body></w:document>';
		assert.equal(await readText('a.docx', zipSync({ 'word/document.xml': strToU8(xml) })), 'A & B\nC\tD');
		await assert.rejects(readText('a.docx', 'no zip'), /Couldn't unpack/);
		await assert.rejects(readText('a.docx', zipSync({ 'x.xml': strToU8('') })), /has no text/);
	});

	it('refuses unsupported files', async () => {
		await assert.rejects(readText('a.mp3', 'ID3'), /type of the file 'a\.mp3' isn't supported \(mp3\)/);
		await assert.rejects(readText('a.ppt', 'x'), /has an Office format from before 2007.*Save it as DOCX, PPTX/);
		await assert.rejects(readText('a.txt', new Uint8Array([65, 0, 66])), /isn't supported/);
	});

	it('returns one text for a file and a list for a list, and names what is missing', async () => {
		const services = {
			...createTestServices(),
			files: {
				...createTestServices().files,
				describeUpload: (id: string) => ({ name: `${id}.txt`, mimeType: 'text/plain', size: 1 }),
				readUpload: async (id: string) => Buffer.from(`text of ${id}`),
			},
		};
		const files = ['a', 'b'].map(id => ({ type: 'document', transfer_method: 'local_file', upload_file_id: id }) as const);
		const list = await runNodeAlone({ type: 'document-extractor', variable_selector: ['sys', 'files'] }, {}, services, { files });
		assert.deepEqual(list.outputs, { text: ['text of a', 'text of b'] });
		const missing = await runNodeAlone({ type: 'document-extractor', variable_selector: ['start', 'f'] }, {}, services);
		assert.match(String(missing.error), /File variable not found for selector: \['start', 'f'\]/);
		const text = await runNodeAlone({ type: 'document-extractor', variable_selector: ['start', 'f'] }, { f: 'text' }, services);
		assert.match(String(text.error), /is not a file or a list of files/);
		const remote = await runNodeAlone({ type: 'document-extractor', variable_selector: ['sys', 'files'] }, {}, services, {
			files: [{ type: 'document', transfer_method: 'remote_url', url: 'http://127.0.0.1:1/a.txt' }],
		});
		assert.match(String(remote.error), /Couldn't fetch the file 'a\.txt' from http:\/\/127\.0\.0\.1:1: .*private network/);
	});

	it('stops reading a list whose texts would fill the memory', async () => {
		const text = 'x'.repeat(10_000_000);
		let reads = 0;
		const documents = new DocumentReader();
		documents.readText = async () => {
			reads++;
			return text;
		};
		const { files } = createTestServices();
		const describeUpload = () => ({ name: 'a.txt', mimeType: 'text/plain', size: 1 });
		const services = {
			...createTestServices(),
			documents,
			files: { ...files, describeUpload, readUpload: async () => Buffer.from('x') },
		};
		const file = { type: 'document', transfer_method: 'local_file', upload_file_id: 'u' } as const;
		const settings = { type: 'document-extractor', variable_selector: ['sys', 'files'] };
		const { error } = await runNodeAlone(settings, {}, services, { files: Array(100).fill(file) });
		assert.match(String(error), /longer than 50000000 characters in total/);
		assert.equal(reads, 6);
	});

	it('uses the type and charset that a service declares for a fetched document', async () => {
		const types = new Map([
			['/page.txt', 'text/html; charset=iso-8859-1'],
			['/plain.txt', 'text/plain; charset=iso-8859-1'],
			['/table.csv', 'text/plain; charset=iso-8859-1'],
			['/bytes.txt', 'application/octet-stream; charset=iso-8859-1'],
		]);
		const server = http.createServer(({ url = '' }, response) => {
			response.writeHead(200, { 'content-type': types.get(url) });
			response.end(Buffer.from(url === '/table.csv' ? 'a,b\n\xe9,1' : '<p>\xe9</p>', 'latin1'));
		});
		await listenOnLoopback(server);
		try {
			const base = getServerUrl(server);
			const files = [...types.keys()].map(path => ({ type: 'document', transfer_method: 'remote_url', url: base + path }) as const);
			const services = createTestServices(undefined, { allowPrivateNetwork: true });
			const { outputs, error } = await runNodeAlone({ type: 'document-extractor', variable_selector: ['sys', 'files'] }, {}, services, {
				files,
			});
			const [page, plain, table, bytes] = outputs['text'] as string[];
			assert.deepEqual([page, plain, bytes], ['é', '<p>é</p>', '<p>é</p>'], String(error));
			assert.match(String(table), /\| é \| 1 \|/);
		} finally {
			server.close();
		}
	});
});

describe('tool', () => {
	const createTool = (name: string, parameters: object = {}, inputs: Readonly<Record<string, unknown>> = {}) =>
		runNodeAlone(
			{ type: 'tool', provider_id: 'time', provider_name: 'time', tool_name: name, tool_label: name, tool_parameters: parameters },
			inputs,
		);

	it('returns the time', async () => {
		const { outputs } = await createTool('current_time', { format: { type: 'constant', value: '%Y|%z' }, timezone: 'Asia/Tokyo' });
		assert.match(String(outputs['text']), /^\d{4}\|\+0900$/);
		assert.match(String((await createTool('current_timestamp')).outputs['text']), /^\d{10}$/);
		const converted = await createTool(
			'timezone_conversion',
			{
				current_time: { type: 'variable', value: ['start', 't'] },
				current_timezone: { type: 'mixed', value: '{{#start.z#}}' },
				target_timezone: 'Asia/Tokyo',
			},
			{ t: '2026-01-31 12:00:00', z: 'Europe/Berlin' },
		);
		assert.equal(converted.outputs['text'], '2026-01-31 20:00:00');
		for (const [time, zone, utc] of [
			['2026-03-29 01:30:00', 'Europe/Berlin', '2026-03-29 00:30:00'],
			['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29 01:30:00'],
			['2026-03-29 03:30:00', 'Europe/Berlin', '2026-03-29 01:30:00'],
			['2026-10-25 01:30:00', 'Europe/Berlin', '2026-10-24 23:30:00'],
			['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25 01:30:00'],
			['2026-11-01 00:30:00', 'America/New_York', '2026-11-01 04:30:00'],
			['2026-11-01 01:30:00', 'America/New_York', '2026-11-01 06:30:00'],
			['2026-11-01 02:30:00', 'America/New_York', '2026-11-01 07:30:00'],
		] as const) {
			const parameters = Object.entries({ current_time: time, current_timezone: zone, target_timezone: 'UTC' });
			const { outputs } = await createTool(
				'timezone_conversion',
				Object.fromEntries(parameters.map(([name, value]) => [name, { type: 'mixed', value }])),
			);
			assert.equal(outputs['text'], utc, `${time} ${zone}`);
		}
		assert.equal((await createTool('weekday', { year: 2026, month: 11, day: 21 })).outputs['text'], 'Saturday, November 21, 2026');
	});

	it('fails with a message for unsupported arguments', async () => {
		assert.match(String((await createTool('current_time', { timezone: 'Mars' })).error), /'Mars' isn't a valid time zone/);
		assert.match(String((await createTool('weekday', { year: 2026, month: 2, day: 30 })).error), /2026-2-30 isn't a valid date/);
		const other = await createTool('google_search');
		assert.equal(other.errorType, 'ToolInvokeError');
		assert.match(
			String(other.error),
			/The tool 'google_search' isn't available\. It searches the web\. Set a search service in agentWorkbench.gateway.search/,
		);
		assert.match(String((await createTool('webscraper', { url: 'http://127.0.0.1:1/' })).error), /private network/);
	});
});
