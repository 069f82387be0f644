import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.ts';

describe('workspace trust', () => {
	it('is read from the editor in only one place', () => {
		const sources = path.join(root, 'src');
		const asking = fs
			.globSync('**/*.ts', { cwd: sources })
			.filter(file => /workspace\s*\.\s*(isTrusted|onDidGrantWorkspaceTrust)/.test(fs.readFileSync(path.join(sources, file), 'utf8')));
		assert.deepEqual(
			asking.map(file => file.replaceAll(path.sep, '/')),
			['editor/platform/trust.ts'],
		);
	});
});
