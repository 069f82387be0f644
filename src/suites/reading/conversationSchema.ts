import * as z from 'zod';

// Part of the schema of suite files; see suiteSchema.ts.

const forms = z
	.record(
		z.string().min(1),
		z.strictObject({
			action: z.string().min(1).describe('ID or title of the button.'),
			inputs: z.record(z.string().min(1), z.string()).optional().describe('Values of fields. Others keep their defaults.'),
		}),
	)
	.describe('Answers to the forms of human input nodes, by node ID.');

/** Returns the fields of a case for conversations and forms. */
export function createConversationFields<Files extends z.ZodType, Inputs extends z.ZodType, Checks extends z.ZodType>(
	files: Files,
	inputs: Inputs,
	checks: Checks,
) {
	return {
		forms: forms.optional(),
		turns: z
			.array(
				z.strictObject({
					query: z.string().min(1).describe('Message to the chat agent.'),
					inputs: inputs.optional().describe('Values in addition to those of the test case.'),
					files: files.optional(),
					forms: forms.optional(),
					expect: checks.optional().describe('Expected results of this turn. Unless status or error is checked, the turn must succeed.'),
				}),
			)
			.min(1)
			.optional()
			.describe(
				'Messages of one conversation, instead of `query`. `expect` of the test case then checks the last reply, and the nodes and tools of all turns. The output `transcript` has all messages.',
			),
		on_turn_failure: z
			.enum(['stop', 'continue'])
			.optional()
			.describe('Whether the conversation continues after a turn whose checks fail. Default: stop.'),
	};
}
