import { textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Sends a request to another service. */
export const httpRequest: NodeKind = {
	type: 'http-request',
	icon: 'globe',
	snippet: {
		title: 'Fetch',
		data: [
			'method: ${3:get}',
			'url: ${4:https://example.com/api}',
			'authorization: { type: no-auth, config: null }',
			'headers: ""',
			'params: ""',
			'body: { type: none, data: [] }',
			'timeout: { connect: 10, read: 60, write: 20 }',
		],
	},
	outputs: ['status_code:number', 'body:string', 'headers:object', 'files:array[file]'],
	facts: data => fact(textOf(data, 'url') || '…', (textOf(data, 'method') || 'get').toUpperCase()),
};

export const schemaWords = (): KindWords => ({
	'http-request': {
		text: 'Sends a request to a service outside.',
		fields: {
			method: { text: 'Method of the request.', examples: ['get', 'post', 'put', 'patch', 'delete', 'head'] },
			url: { text: 'Address; may hold {{#node.variable#}}.', form: 'line' },
			headers: { text: 'Headers, one a line: “name:value”.', form: 'text' },
			params: { text: 'Parameters of the address, one a line: “name:value”.', form: 'text' },
			authorization: 'A key that goes along.',
			'authorization.type': 'Whether there is a key.',
			'authorization.config': 'The key, and how it is sent.',
			'authorization.config.type': 'How it is sent: “basic”, “bearer”, or in a header of its own (“custom”).',
			'authorization.config.api_key': { text: 'The key; better taken from the environment: {{#env.name#}}.', form: 'line' },
			'authorization.config.header': 'Name of the header, for “custom”.',
			body: 'Body of the request.',
			'body.type': 'Form of the body.',
			'body.data': 'Parts of the body; one for raw-text, json and binary.',
			'body.data[]': 'A part of the body.',
			'body.data[].key': { text: 'Name of the part, in forms.', form: 'line' },
			'body.data[].type': { text: 'What the part is.', examples: ['text', 'file'] },
			'body.data[].value': { text: 'Text of the part; may hold {{#node.variable#}}.', form: 'text' },
			'body.data[].file': selector('File of the part', 'file', 'array[file]'),
			'body.data[].id': { text: 'ID of the part.', field: {}, form: 'kept' },
			timeout: { text: 'How long is waited, in seconds.', rare: true },
			'timeout.connect': 'Until the connection stands, at most 10.',
			'timeout.read': 'For the reply, at most 600.',
			'timeout.write': 'For the request.',
			'timeout.max_connect_timeout': { text: 'Limit that the hosted service sets.', rare: true },
			'timeout.max_read_timeout': { text: 'Limit that the hosted service sets.', rare: true },
			ssl_verify: { text: 'Whether certificates are checked.', rare: true },
		},
	},
});
