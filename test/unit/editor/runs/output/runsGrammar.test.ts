import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../../scripts/lib/paths.ts';

describe('the colors of the output channel Agent Runs', () => {
	it("don't use the scope of keywords, which light themes show in the color of errors", () => {
		const scopes = fs.readFileSync(path.join(root, 'media', 'runs.tmLanguage.json'), 'utf8').match(/"name": "[^"]+"/g) ?? [];
		assert.ok(scopes.length > 10);
		assert.deepEqual(
			scopes.filter(scope => scope.includes('keyword')),
			[],
		);
	});
});
