import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');

/** Maximum number of lines in a source file. */
const mostLines = 300;

/** At most five files that may be longer, each with the reason. */
const longer: Readonly<Record<string, string>> = {
	'src/models/passthrough.ts': 'one class with fields, because this is the hottest path of the gateway',
	'src/engine/run/level/graphRun.ts': 'the scheduler of a level: each of its steps reads and changes the same state',
	'src/runs/events/timeline.ts': 'one fold over all kinds of events',
	'src/gateway/agents/agentRegistry.ts': 'one interface to agents, most of it documentation',
};

describe('the length of source files', () => {
	it(`is at most ${mostLines} lines, except for four files with a reason`, () => {
		const lengths = fs.globSync('src/**/*.ts', { cwd: root }).map(file => {
			const name = file.replaceAll(path.sep, '/');
			return { name, lines: fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 };
		});
		const long = lengths.filter(({ lines }) => lines > mostLines).map(({ name }) => name);
		assert.deepEqual(long.sort(), Object.keys(longer).sort());
		assert.ok(Object.keys(longer).length <= 5);
	});
});
