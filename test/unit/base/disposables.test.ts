import assert from 'node:assert/strict';
import { Disposables } from '#base/disposables.ts';

describe('disposables of one owner', () => {
	it('are all disposed, last added first, even if one fails', () => {
		const disposed: string[] = [];
		const owner = new Disposables();
		owner.register({ dispose: () => disposed.push('first') });
		owner.register({
			dispose: () => {
				throw new Error('no space left');
			},
		});
		owner.register({ dispose: () => disposed.push('last') });
		assert.throws(() => owner.dispose(), /no space left/);
		assert.deepEqual(disposed, ['last', 'first']);
		owner.dispose();
		owner.register({ dispose: () => disposed.push('late') });
		assert.deepEqual(disposed, ['last', 'first', 'late']);
	});
});
