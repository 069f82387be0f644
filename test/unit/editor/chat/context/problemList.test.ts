import assert from 'node:assert/strict';
import { formatProblems, type ListedProblem } from '#editor/chat/context/problemList.ts';

describe('the list of problems for a model', () => {
	const createProblem = (fields: Partial<ListedProblem>): ListedProblem => ({
		file: 'a.ts',
		line: 1,
		column: 1,
		severity: 'error',
		message: 'wrong',
		...fields,
	});

	it('has one problem a line, errors first', () => {
		const text = formatProblems([
			createProblem({ severity: 'warning' }),
			createProblem({ file: 'b.ts', message: 'two\n  lines', source: 'ts', code: '2304' }),
			createProblem({ line: 10 }),
			createProblem({ line: 2, column: 5 }),
		]);
		assert.equal(text, 'a.ts:2:5 error: wrong\na.ts:10:1 error: wrong\nb.ts:1:1 error: two lines (ts 2304)\na.ts:1:1 warning: wrong');
	});

	it('says how many there are beyond the first 200', () => {
		const lines = formatProblems(Array.from({ length: 203 }, (_, index) => createProblem({ line: index }))).split('\n');
		assert.deepEqual([lines.length, lines.at(-1)], [201, '… and 3 more']);
	});
});
