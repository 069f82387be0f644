import assert from 'node:assert/strict';
import { chooseSuites, listSuites, type Suite } from '../../../scripts/test/suites.ts';

const createSuite = (name: string, ...needs: string[]): Suite => ({ name, commands: [], counts: 'tests', needs });

describe('the suites of npm test', () => {
	it('are chosen by name prefix, together with the suites that they need', () => {
		const all = [
			createSuite('package'),
			createSuite('build', 'package'),
			createSuite('unit'),
			createSuite('ui: a', 'build'),
			createSuite('ui: b', 'build'),
		];
		const listNames = (...words: string[]) => chooseSuites(all, words).map(({ name }) => name);
		assert.deepEqual(listNames('ui'), ['package', 'build', 'ui: a', 'ui: b']);
		assert.deepEqual(listNames('ui: b', 'unit'), ['package', 'build', 'unit', 'ui: b']);
		assert.deepEqual(
			listNames(),
			all.map(({ name }) => name),
		);
	});

	it('start with the UI files with the most tests, including those imported from neighboring files', () => {
		const ui = listSuites().filter(({ name }) => name.startsWith('ui: '));
		assert.ok(['ui: chat', 'ui: inspector', 'ui: files'].every(name => ui.slice(0, 3).some(first => first.name === name)));
	});
});
