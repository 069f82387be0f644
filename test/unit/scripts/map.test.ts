import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');

describe('the map of the code in docs/internals/map.md', () => {
	it('has a line for each folder of src/ with files, and for no other', () => {
		const map = fs.readFileSync(path.join(root, 'docs/internals/map.md'), 'utf8');
		const listed = [...map.matchAll(/^ {4}(src\/\S*)\/ +\S/gm)].map(match => match[1]!);
		const there = new Set(fs.globSync('src/**/*.*', { cwd: root }).map(file => path.posix.dirname(file.replaceAll(path.sep, '/'))));
		there.delete('src');
		assert.deepEqual(listed.toSorted(), [...there].sort());
	});
});
