import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import { documentText } from '../../../../src/gateway/engine/documents.ts';
import { testServices } from '../engineFixture.ts';
import { runNodeAlone } from './nodeRun.ts';

const read = (name: string, content: string | Uint8Array, mimeType = '') =>
	documentText({ name, mimeType, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content });

describe('document-extractor', () => {
	it('reads text and Markdown as they are', () => {
		assert.equal(read('a.txt', 'a\nü'), 'a\nü');
		assert.equal(read('a.MD', '# T'), '# T');
		assert.equal(read('noname', 'x', 'text/plain; charset=utf-8'), 'x');
	});

	it('reads the text of HTML', () => {
		const html = `<html><head><title>T</title><style>p{}</style></head><body><h1>Big &amp; small</h1><script>bad()</script>
			<p>One <b>two</b>&nbsp;three<br>four</p><ul><li>a</li><li>b&#8364;</li></ul><table><tr><td>1</td><td>2</td></tr></table></body></html>`;
		assert.equal(read('a.html', html), '# Big & small\n\nOne two three\nfour\n\n- a\n- b€\n\n1 | 2');
	});

	it('reads pages that were made to take for ever', () => {
		const started = performance.now();
		for (const part of ['<script', '<!--', '<', '<li ', '<script>', '</']) {
			read('a.html', part.repeat(300_000));
		}
		assert.ok(performance.now() - started < 5_000);
		assert.equal(read('a.html', 'a<SCRIPT >x</Script >b<!-- <p> -->c<script>never closed'), 'abc');
	});

	it('reads CSV as a table', () => {
		assert.equal(read('a.csv', 'name;n\r\n"a|b; ""q""";1\r\nx\r\n'), '| name | n |\n| --- | --- |\n| a\\|b; "q" | 1 |\n| x |  |');
		assert.equal(read('a.csv', ''), '');
	});

	it('reads JSON, also broken', () => {
		assert.equal(read('a.json', '{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
		assert.equal(read('a.json', '{broken'), '{broken');
	});

	it('reads Word documents', () => {
		const xml =
			'<w:document><w:body><w:p><w:r><w:t>A &amp; B</w:t></w:r></w:p><w:p><w:r><w:t>C</w:t><w:tab/><w:t>D</w:t></w:r></w:p></w:body></w:document>';
		assert.equal(read('a.docx', zipSync({ 'word/document.xml': strToU8(xml) })), 'A & B\nC\tD');
		assert.throws(() => read('a.docx', 'no zip'), /cannot be unpacked/);
		assert.throws(() => read('a.docx', zipSync({ 'x.xml': strToU8('') })), /has no text/);
	});

	it('refuses what it cannot read', () => {
		assert.throws(() => read('a.pdf', '%PDF'), /"a\.pdf" is of a kind that cannot be read here \(pdf\)/);
		assert.throws(() => read('a.txt', new Uint8Array([65, 0, 66])), /cannot be read here/);
	});

	it('gives one text for a file, a list for a list, and names what is missing', async () => {
		const services = {
			...testServices(),
			files: {
				describe: (id: string) => ({ name: `${id}.txt`, mimeType: 'text/plain', size: 1 }),
				read: async (id: string) => Buffer.from(`text of ${id}`),
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
		assert.match(String(remote.error), /"a\.txt" cannot be fetched from http:\/\/127\.0\.0\.1:1: .*private network/);
	});
});

describe('tool', () => {
	const tool = (name: string, parameters: object = {}, inputs: Readonly<Record<string, unknown>> = {}) =>
		runNodeAlone(
			{ type: 'tool', provider_id: 'time', provider_name: 'time', tool_name: name, tool_label: name, tool_parameters: parameters },
			inputs,
		);

	it('tells the time', async () => {
		const { outputs } = await tool('current_time', { format: { type: 'constant', value: '%Y|%z' }, timezone: 'Asia/Tokyo' });
		assert.match(String(outputs['text']), /^\d{4}\|\+0900$/);
		assert.match(String((await tool('current_timestamp')).outputs['text']), /^\d{10}$/);
		const converted = await tool(
			'timezone_conversion',
			{
				current_time: { type: 'variable', value: ['start', 't'] },
				current_timezone: { type: 'mixed', value: '{{#start.z#}}' },
				target_timezone: 'Asia/Tokyo',
			},
			{ t: '2026-01-31 12:00:00', z: 'Europe/Berlin' },
		);
		assert.equal(converted.outputs['text'], '2026-01-31 20:00:00');
		assert.equal((await tool('weekday', { year: 2026, month: 11, day: 21 })).outputs['text'], 'Saturday, November 21, 2026');
	});

	it('fails with a sentence for what it cannot do', async () => {
		assert.match(String((await tool('current_time', { timezone: 'Mars' })).error), /no time zone "Mars"/);
		assert.match(String((await tool('weekday', { year: 2026, month: 2, day: 30 })).error), /There is no day 2026-2-30/);
		const other = await tool('google_search');
		assert.equal(other.errorType, 'ToolInvokeError');
		assert.match(String(other.error), /The tool "google_search" of time is not available here; give the agent a Dify route/);
		assert.match(String((await tool('webscraper', { url: 'http://127.0.0.1:1/' })).error), /private network/);
	});
});

describe('knowledge-retrieval', () => {
	it('fails, and names the way out', async () => {
		assert.match(String((await runNodeAlone({ type: 'knowledge-retrieval' })).error), /give the agent a Dify route/);
	});
});
