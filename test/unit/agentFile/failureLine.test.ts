import assert from 'node:assert/strict';
import { findFailureLine } from '#agentFile/failureLine.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';

const text = `workflow:
  graph:
    nodes:
      - id: a
        data:
          type: code
          code: | # the program
            function main() {
              throw new Error('x');
            }
      - id: b
        data: { type: template-transform, template: "{{ x.y }}" }
      - id: c
        data:
          template: >-
            one
            {{ two }}
`;

describe('the line of an agent file at which a node failed', () => {
	const find = (id: string, error: string) => findFailureLine(new AgentReading(text), id, error);

	it('is that of the program or template which the error names', () => {
		assert.equal(find('a', 'Error: x (line 2)'), 9);
		assert.equal(find('c', "'two' is undefined (line 2: {{ two }})"), 17);
	});

	it('is unknown without a block or a line', () => {
		assert.equal(find('b', "'x' is undefined (line 1)"), undefined);
		assert.equal(find('a', 'Error: x'), undefined);
		assert.equal(find('gone', 'Error: x (line 2)'), undefined);
	});
});
