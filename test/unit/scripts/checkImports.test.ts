import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// @ts-expect-error plain JavaScript
import { findOuterViolations, findViolations } from '../../../scripts/checkImports.mjs';

describe('the check on imports', () => {
	let root: string;
	beforeEach(() => {
		root = fs.mkdtempSync(path.join(os.tmpdir(), 'imports-'));
	});
	afterEach(() => fs.rmSync(root, { recursive: true }));

	const write = (file: string, text: string) => {
		fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
		fs.writeFileSync(path.join(root, file), text);
	};
	const checkText = (file: string, text: string): string[] => {
		write(`src/${file}`, text);
		return findViolations(path.join(root, 'src'));
	};

	const allowed: [string, string][] = [
		['client/client.ts', "import { x } from '#contract/events.ts';\nimport Agent from 'undici/lib/dispatcher/agent.js';"],
		['editor/runs/run.ts', "import type { ServiceClient } from '#client/client.ts';"],
		['editor/runs/run.ts', "const { ServiceClient } = await import('#client/client.ts');"],
		['editor/runs/run.ts', "import { instanceAt } from '#client/localGateway/gatewayLock.ts';"],
		['editor/explorer/tree.ts', "import {\n\tRuns,\n\tRunRecord,\n} from '../runs/runTypes.ts';\nimport * as vscode from 'vscode';"],
		['editor/runs/run.ts', "import type { Tree } from '../explorer/tree.ts';"],
		['gateway/main.ts', "import http from 'node:http';\nimport { parse } from 'yaml';\nimport { run } from '#engine/run/run.ts';"],
	];
	for (const [file, text] of allowed) {
		it(`accepts in ${file}: ${text.replaceAll(/\s+/g, ' ')}`, () => assert.deepEqual(checkText(file, text), []));
	}

	const refused: [string, string, RegExp][] = [
		['contract/events.ts', "import { x } from '#client/client.ts';", /^src\/contract\/events\.ts: imports #client\/client\.ts/],
		['client/client.ts', "import * as vscode from 'vscode';", /imports the package vscode/],
		['client/client.ts', "import { request } from 'undici';", /process-wide fetch dispatcher/],
		['client/client.ts', "import { x } from '#gateway/main.ts';", /#gateway\/main\.ts/],
		['client/client.ts', "import { x } from '../contract/events.ts';", /another unit by its name, as in #contract\/events\.ts/],
		['client/client.ts', "import { x } from '#client/caller.ts';", /inside a unit by a relative path/],
		['gateway/main.ts', "import { x } from '#client/client.ts';", /#client\/client\.ts/],
		['engine/run/run.ts', "import type { Log } from '#gateway/process/log.ts';", /#gateway\/process\/log\.ts/],
		['engine/run/run.ts', "import leftPad from 'left-pad';", /imports the package left-pad/],
		['pages/chat/main.ts', "import * as vscode from 'vscode';", /imports the package vscode/],
		['editor/runs/run.ts', "import { ServiceClient } from '#client/client.ts';", /\(value\)/],
		['editor/runs/run.ts', "import { run } from '#engine/run/run.ts';", /#engine\/run\/run\.ts/],
		['editor/runs/run.ts', "import {\n\ttree,\n} from '../explorer/tree.ts';", /those listed before it/],
		['editor/runs/run.ts', "export { x } from '../explorer/tree.ts';", /\.\.\/explorer\/tree\.ts/],
		['editor/runs/run.ts', "import './other';", /without its \.ts ending/],
		['extra/run.ts', '', /no rule/],
	];
	for (const [file, text, message] of refused) {
		it(`refuses in ${file}: ${text.replaceAll(/\s+/g, ' ')}`, () => {
			const faults = checkText(file, text);
			assert.equal(faults.length, 1, faults.join('\n'));
			assert.match(faults[0]!, message);
		});
	}

	it('refuses a cycle at run time, but accepts a cycle of types', () => {
		assert.deepEqual(checkText('runs/a.ts', "import { b } from './b.ts';"), []);
		assert.deepEqual(checkText('runs/b.ts', "import type { A } from './a.ts';"), []);
		assert.deepEqual(checkText('runs/b.ts', "import { a } from './a.ts';"), [
			'runs/a.ts → runs/b.ts → runs/a.ts: a cycle of imports at run time',
		]);
	});

	it('refuses a cycle of folders inside a unit', () => {
		assert.deepEqual(checkText('runs/events/a.ts', "import { b } from '../forms/b.ts';"), []);
		assert.deepEqual(checkText('runs/forms/c.ts', "import { d } from '../events/d.ts';"), [
			'runs/forms → runs/events → runs/forms: a cycle of folders inside a unit',
		]);
	});

	it('refuses a test that imports a source by a relative path, unless it has a separate package.json', () => {
		write('test/unit/a.test.ts', "import { a } from '#runs/a.ts';");
		write('test/bench/package.json', '{}');
		write('test/bench/b.ts', "import { a } from '../../src/runs/a.ts';");
		assert.deepEqual(findOuterViolations(root), []);
		write('test/unit/c.test.ts', "import { a } from '../../src/runs/a.ts';");
		assert.deepEqual(findOuterViolations(root), [
			'test/unit/c.test.ts: imports ../../src/runs/a.ts: a source by its unit, as in #runs/a.ts',
		]);
	});
});
