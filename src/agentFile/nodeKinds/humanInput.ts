import { textOf } from '#base/records/plainValues.ts';
import { fact, firstLine } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Shows a form to a person and waits until it is submitted. */
export const humanInput: NodeKind = {
	type: 'human-input',
	icon: 'person',
	inside: 'top',
	snippet: {
		title: 'Ask a person',
		data: [
			'form_content: "${3:Is this right?} {{#${4:¶.}#}}"',
			'inputs: []',
			'user_actions:',
			'  - { id: ${5:approve}, title: ${6:Approve}, button_style: primary }',
			'  - { id: ${7:reject}, title: ${8:Reject}, button_style: default }',
			'timeout: ${9:3}',
			'timeout_unit: ${10:day}',
			'delivery_methods:',
			'  - { type: webapp, enabled: true }',
		],
	},
	outputs: ['__action_id:string', '__action_value:string', '__rendered_content:string'],
	branches: { list: 'user_actions', id: 'id', title: 'title', byPerson: true, output: '__action_id' },
	declares: { at: ['inputs'], name: 'output_variable_name', type: 'type', isInput: true },
	formText: 'form_content',
	facts: data => fact(firstLine(textOf(data, 'form_content'))),
};

export const schemaWords = (): KindWords => ({
	'human-input': {
		text: 'Shows a form to a person, and waits until it is sent off: the run is paused meanwhile.',
		fields: {
			form_content: {
				text: 'What the person is shown; may hold {{#node.variable#}}, and {{#$output.name#}} where an input stands.',
				form: 'text',
			},
			inputs: 'What the person fills in.',
			'inputs[]': 'An input of the form.',
			'inputs[].type': { text: 'Kind of the input.', examples: ['paragraph', 'select', 'file', 'file-list'] },
			'inputs[].output_variable_name': 'Name that other nodes know the value by.',
			'inputs[].default': 'What the input holds at first.',
			'inputs[].default.type': { text: 'Whether it is written here or taken from a variable.', examples: ['constant', 'variable'] },
			'inputs[].default.selector': selector('Where it is taken from'),
			'inputs[].default.value': 'The text, if it is written here.',
			'inputs[].option_source': 'What there is to choose from, for “select”.',
			'inputs[].option_source.type': { text: 'Whether it is written here or taken from a variable.', examples: ['constant', 'variable'] },
			'inputs[].option_source.selector': selector('The list of texts to choose from', 'array[string]'),
			'inputs[].option_source.value': 'The texts, if they are written here.',
			'inputs[].allowed_file_types': {
				text: 'Kinds of files that are taken: image, document, audio, video, custom.',
				field: {},
				rare: true,
			},
			'inputs[].allowed_file_extensions': { text: 'Endings of files that are taken, for “custom”.', field: {}, rare: true },
			'inputs[].allowed_file_upload_methods': { text: 'How files may come: local_file, remote_url.', field: {}, rare: true },
			'inputs[].number_limits': { text: 'Most files, for “file-list”.', field: {}, rare: true },
			user_actions: 'Ways on for the person to choose from.',
			'user_actions[]': 'A way on.',
			'user_actions[].id': 'ID of the way; edges go by it.',
			'user_actions[].title': 'What its button says.',
			'user_actions[].button_style': { text: 'Look of its button.', examples: ['primary', 'default', 'accent', 'ghost'] },
			timeout: 'How long is waited. Then the edge “__timeout” is taken.',
			timeout_unit: { text: 'Unit of “timeout”.', examples: ['hour', 'day'] },
			delivery_methods: { text: 'How people get to know of the form.', rare: true },
			'delivery_methods[]': 'A way to let people know.',
			'delivery_methods[].type': { text: 'Kind of the way.', examples: ['webapp', 'email'] },
			'delivery_methods[].enabled': 'Whether it is used.',
			'delivery_methods[].id': { text: 'ID of the way.', field: {} },
			'delivery_methods[].config': { text: 'The mail, for “email”. The built-in gateway sends none.', field: { properties: {} } },
			'delivery_methods[].config.recipients': { text: 'Who gets the mail.', field: { properties: {} } },
			'delivery_methods[].config.recipients.whole_workspace': { text: 'Whether all members of the workspace do.', field: {} },
			'delivery_methods[].config.recipients.items': { text: 'Single people.', field: { items: { properties: {} } } },
			'delivery_methods[].config.recipients.items[]': 'A person who gets the mail.',
			'delivery_methods[].config.recipients.items[].type': {
				text: 'Whether it is a member of the workspace or somebody else.',
				field: {},
				examples: ['member', 'external'],
			},
			'delivery_methods[].config.recipients.items[].user_id': { text: 'ID of the member, for “member”.', field: {} },
			'delivery_methods[].config.recipients.items[].email': { text: 'Address, for “external”.', field: {} },
			'delivery_methods[].config.subject': { text: 'Subject of the mail.', field: {} },
			'delivery_methods[].config.body': { text: 'Text of the mail; the form’s address stands at {{#url#}}.', field: {} },
			'delivery_methods[].config.debug_mode': { text: 'Whether the mail goes to whoever tries the agent out only.', field: {} },
		},
	},
});
