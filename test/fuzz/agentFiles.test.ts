import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { AgentFileError } from '#engine/agentFile/agentFileError.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const folder = path.join(import.meta.dirname, '../../samples/agents');
const samples = fs.readdirSync(folder).map(name => fs.readFileSync(path.join(folder, name), 'utf8'));

/** Reads a text as an agent, and requires a position in the text if that fails. */
function readAgent(text: string): void {
	try {
		const { graph, warnings } = loadAgent(text, 'a.yml');
		assert.ok(graph.root);
		assert.ok(Array.isArray(warnings));
	} catch (error) {
		assert.ok(error instanceof AgentFileError, `${(error as Error).stack}\n${text.slice(0, 2_000)}`);
		const [, line] = /:(\d+)/.exec(error.message) ?? [];
		assert.ok(Number(line) >= 1 && Number(line) <= text.split('\n').length, error.message);
	}
}

describe('any agent file', () => {
	it("writes nothing to the process's log, whatever its keys are", async () => {
		const said: string[] = [];
		const onWarning = (warning: Error) => said.push(warning.message);
		process.on('warning', onWarning);
		readAgent('{a: b}: c\n[1]: &x 2\n? - deep\n: *x\n');
		await new Promise(resolve => setImmediate(resolve));
		process.off('warning', onWarning);
		assert.deepEqual(said, []);
	});

	it('is read or refused with a position in the file, wherever a sample is cut and whatever is inserted', () => {
		const odd = fc.oneof(
			fc.constantFrom(
				'\t',
				'- ',
				'[',
				'{',
				': ',
				'&a ',
				'*a ',
				'!!set ',
				'!!binary x',
				'<<: *a',
				'? ',
				'|',
				'"',
				'\0',
				'\u2028',
				'---\n',
				'...\n',
				'%TAG ! x\n',
			),
			fc.string(),
			fc.jsonValue().map(each => JSON.stringify(each)),
		);
		fc.assert(
			fc.property(fc.constantFrom(...samples), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(60), odd, (text, share, gone, piece) => {
				const from = Math.floor(share * text.length);
				readAgent(text.slice(0, from) + piece + text.slice(from + gone));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is read or refused with any value in place of one of its values', () => {
		const values = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', { toString: 1 }, [[]], -1, '{{#a.b#}}'));
		fc.assert(
			fc.property(fc.constantFrom(...samples), fc.nat(), values, (text, at, value) => {
				const lines = text.split('\n');
				const places = lines.flatMap((line, i) => (/^\s*(?:- )?[\w-]+: \S/.test(line) ? [i] : []));
				const place = places[at % places.length] as number;
				lines[place] = (lines[place] as string).replace(/: .*$/, () => `: ${JSON.stringify(value)}`);
				readAgent(lines.join('\n'));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is read or refused if its indentation is as deep as possible', () => {
		for (const depth of [50, 500, 2_000]) {
			const nested = Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`).join('');
			readAgent(nested);
			readAgent(`${samples[0]}\nextra:\n${nested.replaceAll(/^/gm, ' ')}`);
			readAgent(`${'- '.repeat(depth)}a`);
			readAgent(`a: ${'[{a: '.repeat(depth)}`);
		}
	});
});
