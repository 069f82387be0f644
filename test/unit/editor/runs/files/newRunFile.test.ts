import assert from 'node:assert/strict';
import { findEmptyValue } from '#editor/runs/files/newRunFile.ts';

describe('the cursor in a new run file', () => {
	const getMarked = (inputs: object): string => {
		const text = JSON.stringify({ model: 'a', inputs }, undefined, 1).replaceAll(/\n */g, '');
		const place = findEmptyValue(text);
		return place === undefined ? 'nowhere' : `${text.slice(0, place)}|${text.slice(place)}`;
	};

	it('is in the first empty value', () => {
		assert.equal(getMarked({ n: 0, text: '', more: '' }), '{"model": "a","inputs": {"n": 0,"text": "|","more": ""}}');
		assert.equal(getMarked({ source: { $file: './' } }), '{"model": "a","inputs": {"source": {"$file": "./|"}}}');
		assert.equal(getMarked({ list: [] }), '{"model": "a","inputs": {"list": [|]}}');
	});

	it('stays at the start if no value is empty', () => {
		assert.equal(getMarked({ n: 0 }), 'nowhere');
	});
});
