import assert from 'node:assert/strict';
import { chooseSuites, listSuites, type Suite } from '../../../scripts/test/suites.ts';

const suite = (name: string, ...needs: string[]): Suite => ({ name, commands: [], counts: 'tests', needs });

describe('the suites of npm test', () => {
	it('are chosen by the beginnings of their names, with what these need', () => {
		const all = [suite('package'), suite('build', 'package'), suite('unit'), suite('ui: a', 'build'), suite('ui: b', 'build')];
		const names = (...words: string[]) => chooseSuites(all, words).map(({ name }) => name);
		assert.deepEqual(names('ui'), ['package', 'build', 'ui: a', 'ui: b']);
		assert.deepEqual(names('ui: b', 'unit'), ['package', 'build', 'unit', 'ui: b']);
		assert.deepEqual(
			names(),
			all.map(({ name }) => name),
		);
	});

	it('begin with the UI files of many tests, those counted that a file imports from beside it', () => {
		const ui = listSuites().filter(({ name }) => name.startsWith('ui: '));
		assert.ok(['ui: chat', 'ui: inspector', 'ui: files'].every(name => ui.slice(0, 3).some(first => first.name === name)));
	});
});
