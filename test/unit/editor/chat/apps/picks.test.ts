import assert from 'node:assert/strict';
import type { Annotation, ConversationVariable } from '#contract/dify/appFeatures.ts';
import { pickAnnotation } from '#editor/chat/apps/annotationPick.ts';
import { changeVariable } from '#editor/chat/apps/variablePick.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { createFakeApp, createServiceError } from './playedApp.ts';

const createAnnotation = (id: string, fields: Partial<Annotation> = {}): Annotation => ({
	id,
	question: `Question ${id}`,
	answer: 'A',
	hit_count: 0,
	created_at: 1,
	...fields,
});

describe("the list of an app's annotations", () => {
	function createAppWithAnnotations(all: Annotation[]) {
		const deleted: string[] = [];
		const app = createFakeApp({
			async *iterateAnnotations() {
				yield* all;
			},
			async deleteAnnotation(id) {
				deleted.push(id);
				all.splice(
					all.findIndex(each => each.id === id),
					1,
				);
			},
		});
		return { app, deleted };
	}

	it('returns the picked annotation, or none', async () => {
		const { app } = createAppWithAnnotations([createAnnotation('a'), createAnnotation('b', { question: null, hit_count: 3 })]);
		let picked: Annotation | undefined;
		await answerDialogs({ picks: ['–'] }, async () => {
			picked = await pickAnnotation(app, 'Helper');
		});
		assert.equal(picked?.id, 'b');
		await answerDialogs({ picks: [undefined] }, async () => {
			picked = await pickAnnotation(app, 'Helper');
		});
		assert.equal(picked, undefined);
	});

	it('deletes one after a confirmation, and shows the remaining ones', async () => {
		const { app, deleted } = createAppWithAnnotations([createAnnotation('a'), createAnnotation('b')]);
		const shown = await answerDialogs(
			{ picks: [{ button: 'Question a' }, { button: 'Question b' }, undefined], buttons: [undefined, 'Delete'] },
			() => pickAnnotation(app, 'Helper'),
		);
		assert.deepEqual(shown.warnings, ["Delete annotation 'Question a'?", "Delete annotation 'Question b'?"]);
		assert.match(shown.details[0] ?? '', /annotation's hit history will also be deleted/);
		assert.deepEqual(deleted, ['b']);
		assert.deepEqual(shown.placeHolders, Array(3).fill('Select an annotation to edit'));
	});

	it('explains how to create one if the list is empty, and passes on refusals', async () => {
		const shown = await answerDialogs({ picks: [undefined] }, () => pickAnnotation(createAppWithAnnotations([]).app, 'Helper'));
		assert.match(shown.placeHolders[0] ?? '', /No annotations yet/);
		const refused = createFakeApp({
			async *iterateAnnotations() {
				yield* [createAnnotation('a')];
			},
			deleteAnnotation: async () => Promise.reject(createServiceError(404, 'not_found')),
		});
		await answerDialogs({ picks: [{ button: 'Question a' }], button: 'Delete' }, () =>
			assert.rejects(pickAnnotation(refused, 'Helper'), { status: 404 }),
		);
	});

	it('reads at most a few hundred annotations', async () => {
		let read = 0;
		const app = createFakeApp({
			async *iterateAnnotations() {
				for (; read < 100_000; read++) {
					yield createAnnotation(String(read));
				}
			},
		});
		await answerDialogs({ picks: [undefined] }, () => pickAnnotation(app, 'Helper'));
		assert.ok(read < 1000, String(read));
	});
});

describe('the variables of a conversation', () => {
	const createVariable = (name: string, value_type: string, value: unknown): ConversationVariable => ({
		id: `id-${name}`,
		name,
		value_type,
		value,
		description: '',
		created_at: 1,
		updated_at: 1,
	});

	async function changePickedVariable(variables: ConversationVariable[], picks: (string | undefined)[], texts: (string | undefined)[]) {
		const set: unknown[] = [];
		const app = createFakeApp({
			async *iterateVariables(conversation, query) {
				assert.deepEqual([conversation, query], ['c1', { user: 'ana', limit: 100 }]);
				yield* variables;
			},
			setVariable: async (conversation, id, body) => {
				set.push([conversation, id, body]);
				return variables[0]!;
			},
		});
		const shown = await answerDialogs({ picks, texts }, () => changeVariable(app, 'c1', 'ana'));
		return { set, shown };
	}

	it('accept another value of their type', async () => {
		const { set } = await changePickedVariable(
			[createVariable('mode', 'string', 'dark'), createVariable('count', 'number', 5)],
			['count'],
			['7'],
		);
		assert.deepEqual(set, [['c1', 'id-count', { user: 'ana', value: 7 }]]);
		const text = await changePickedVariable([createVariable('mode', 'string', 'dark')], ['mode'], ['{not json']);
		assert.deepEqual(text.set, [['c1', 'id-mode', { user: 'ana', value: '{not json' }]]);
	});

	it('stay unchanged if the user cancels or enters an invalid value, or if there are none', async () => {
		const count = createVariable('count', 'number', 5);
		assert.deepEqual((await changePickedVariable([count], [undefined], [])).set, []);
		assert.deepEqual((await changePickedVariable([count], ['count'], [undefined])).set, []);
		const wrong = await changePickedVariable([count], ['count'], ['five']);
		assert.deepEqual([wrong.set, wrong.shown.refusals], [[], ["Enter a JSON value of type 'number'."]]);
		assert.deepEqual((await changePickedVariable([], [undefined], [])).shown.placeHolders, ['This conversation has no variables.']);
	});
});
