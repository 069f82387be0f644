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

const limit = z.number().min(0).optional();

function createSimulation<Checks extends z.ZodType>(checks: Checks) {
	return z.strictObject({
		persona: z.string().min(1).optional().describe('Who the user is and how they talk.'),
		goal: z
			.string()
			.min(1)
			.optional()
			.describe('What the user wants. A model writes the messages, and says when the goal is reached or the user gives up.'),
		model: z.string().min(1).optional().describe('Model that plays the user. It must support tools. Default: a model of the connection.'),
		opening: z.string().min(1).optional().describe('First message. Default: the model writes it.'),
		replies: z
			.array(
				z.strictObject({
					when: z.string().min(1).optional().describe('Text in the last reply of the agent, ignoring case. Default: any reply.'),
					say: z.string().min(1).describe('Message of the user.'),
				}),
			)
			.min(1)
			.optional()
			.describe('A user without a model, instead of `goal`: the first entry that fits is sent. If none fits, the user gives up.'),
		max_turns: z.number().min(1).max(50).optional().describe('Maximum number of messages. Default: 10.'),
		cost: limit.describe('No further message is sent when the agent has cost this much.'),
		tokens: limit.describe('No further message is sent when the agent and the user have used this many tokens.'),
		seconds: limit.describe('No further message is sent after this time.'),
		stop: checks.optional().describe('Checks of the conversation so far. The first one that passes ends it.'),
	});
}

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
		simulate: createSimulation(checks)
			.optional()
			.describe(
				'A simulated user who has a conversation with the chat agent, instead of `turns`. The output `end` says how it ended: goal, gave-up, out-of-scope, stop-check, max-turns, budget or error.',
			),
		on_turn_failure: z
			.enum(['stop', 'continue'])
			.optional()
			.describe('Whether the conversation continues after a turn whose checks fail. Default: stop.'),
	};
}
