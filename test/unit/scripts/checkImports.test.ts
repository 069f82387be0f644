import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// @ts-expect-error plain JavaScript
import { findFaults } from '../../../scripts/checkImports.mjs';

describe('check on import directions', () => {
	let sources: string;
	beforeEach(() => {
		sources = fs.mkdtempSync(path.join(os.tmpdir(), 'imports-'));
	});
	afterEach(() => fs.rmSync(sources, { recursive: true }));

	const faultsOf = (file: string, text: string): string[] => {
		fs.mkdirSync(path.dirname(path.join(sources, file)), { recursive: true });
		fs.writeFileSync(path.join(sources, file), text);
		return findFaults(sources);
	};

	const allowed: [string, string][] = [
		['client/client.ts', "import { x } from '../protocol/events.ts';\nimport Agent from 'undici/lib/dispatcher/agent.js';"],
		['runs/run.ts', "import type { ServiceClient } from '../client/client.ts';"],
		['runs/run.ts', "const { ServiceClient } = await import('../client/client.ts');"],
		['explorer/tree.ts', "import type {\n\tRuns,\n\tRunRecord,\n} from '../runs/runTypes.ts';\nimport * as vscode from 'vscode';"],
		['gateway/main.ts', "import http from 'node:http';\nimport { parse } from 'yaml';"],
	];
	for (const [file, text] of allowed) {
		it(`lets pass, in ${file}: ${text.replaceAll(/\s+/g, ' ')}`, () => assert.deepEqual(faultsOf(file, text), []));
	}

	const refused: [string, string, RegExp][] = [
		['protocol/events.ts', "import { x } from '../client/client.ts';", /^src\/protocol\/events\.ts: imports \.\.\/client\/client\.ts/],
		['client/client.ts', "import * as vscode from 'vscode';", /imports the package vscode/],
		['client/client.ts', "import { request } from 'undici';", /process-wide fetch dispatcher/],
		['client/client.ts', "import { x } from '../gateway/main.ts';", /\.\.\/gateway\/main\.ts/],
		['gateway/main.ts', "import { x } from '../client/client.ts';", /\.\.\/client\/client\.ts/],
		['gateway/routes/runs.ts', "import * as vscode from 'vscode';", /imports the package vscode/],
		['runs/run.ts', "import { ServiceClient } from '../client/client.ts';", /\(value\)/],
		['runs/run.ts', "import {\n\ttree,\n} from '../explorer/tree.ts';", /\.\.\/explorer\/tree\.ts \(value\)/],
		['common/log.ts', "import { x } from '../runs/run.ts';", /\.\.\/runs\/run\.ts/],
		['runs/run.ts', "export { x } from '../explorer/tree.ts';", /\.\.\/explorer\/tree\.ts/],
		['runs/run.ts', "import './other';", /without its \.ts ending/],
		['extra/run.ts', '', /no rule/],
	];
	for (const [file, text, message] of refused) {
		it(`refuses, in ${file}: ${text.replaceAll(/\s+/g, ' ')}`, () => {
			const faults = faultsOf(file, text);
			assert.equal(faults.length, 1, faults.join('\n'));
			assert.match(faults[0]!, message);
		});
	}

	it('refuses a circle at run time, and lets one of types pass', () => {
		assert.deepEqual(faultsOf('runs/a.ts', "import { b } from './b.ts';"), []);
		assert.deepEqual(faultsOf('runs/b.ts', "import type { A } from './a.ts';"), []);
		assert.deepEqual(faultsOf('runs/b.ts', "import { a } from './a.ts';"), [
			'runs/a.ts → runs/b.ts → runs/a.ts: a circle of imports at run time',
		]);
	});
});
