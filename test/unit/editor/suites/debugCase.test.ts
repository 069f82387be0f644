import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { debugCase } from '#editor/suites/debugCase.ts';
import { unsealLaunch } from '#runs/request/suiteLaunch.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';

const place = `\${env:TOKEN}`;

describe('debugging a row of a dataset', () => {
	it('marks secret values, so that the run history stores placeholders', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'debug-case-'));
		try {
			fs.writeFileSync(path.join(folder, 'rows.csv'), 'text\nhello\n');
			const file = path.join(folder, 'one.suite.json');
			const given = { model: 'asks', defaults: { inputs: { key: place } }, dataset: { file: 'rows.csv' } };
			const context = { connection: 'c', agents: undefined, takesMocks: true, root: folder, t: fillPlaceholders };
			const { suite, faults } = await readSuite(JSON.stringify(given), file, context);
			assert.deepEqual(faults, []);
			const placeholders = { workspaceFolder: folder, input: async () => '', environment: () => 'tok-4711' };
			const service = { name: 'c', agents: undefined, user: 'ana', placeholders } as unknown as SuiteService;
			const launched: vscode.DebugConfiguration[] = [];
			const { startDebugging } = vscode.debug;
			Object.assign(vscode.debug, { startDebugging: async (_: unknown, each: vscode.DebugConfiguration) => launched.push(each) });
			try {
				await debugCase(suite!, 0, async () => service);
			} finally {
				Object.assign(vscode.debug, { startDebugging });
			}
			const { values, secrets } = unsealLaunch(launched[0]?.['sealed'] as string);
			assert.deepEqual(values?.inputs, { key: 'tok-4711', text: 'hello' });
			assert.deepEqual(secrets, [['tok-4711', place]]);
		} finally {
			fs.rmSync(folder, { recursive: true });
		}
	});
});
