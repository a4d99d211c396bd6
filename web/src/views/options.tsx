// SPDX-License-Identifier: MIT
// The options of a recording. The fields come from the core's description of its options.
import catalogue from 'virtual:catalogue';
import type { OptionInfo } from '../../../wasm/types.js';
import type { Recording } from '../job.js';
import { dispatch } from '../store.js';

interface FieldProps {
  id: string;
  info: OptionInfo;
  value: string;
  choices: { value: string; label: string }[] | null;
  onChange(value: string): void;
}

/** Placeholder of an empty field whose default is not the recognised value. */
const unset: Record<string, string> = { 'wall-clock-ns': 'not known' };

/** Text fields, and the meaning of an empty one. */
const texts: Record<string, string> = { signals: 'all' };

/** The user marks an interval in the timeline instead. */
const elsewhere = ['from-ns', 'to-ns'];

function Field({ id, info, value, choices, onChange }: FieldProps) {
  const common = { id, 'aria-describedby': `${id}-help` };
  return (
    <div class="field">
      <label for={id}>{info.label}</label>
      {choices ? (
        <select {...common} value={value || info.fallback} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          inputMode={info.key in texts ? 'text' : 'numeric'}
          placeholder={texts[info.key] ?? unset[info.key] ?? 'as recognised'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )}
      <p id={`${id}-help`} class="hint">
        {info.help}
      </p>
    </div>
  );
}

const words: Record<string, string> = { auto: 'as recognised', '0': 'no', '1': 'yes', 'free-rtos': 'FreeRTOS' };

/** Display name of a value such as "bare-metal". */
export const wordsOf = (value: string): string => words[value] ?? value.replaceAll('-', ' ');

const asChoices = (info: OptionInfo): { value: string; label: string }[] | null =>
  info.choices && info.choices.map((value) => ({ value, label: wordsOf(value) }));

function choicesOf(info: OptionInfo): { value: string; label: string }[] | null {
  if (info.key !== 'format') return asChoices(info);
  return [
    { value: info.fallback, label: 'as recognised' },
    ...catalogue.formats.map(({ name, title }) => ({ value: name, label: title })),
  ];
}

export function Options({ recording, format }: { recording: Recording; format: string | null }) {
  const chosen = recording.options['format'] ?? format;
  const own = catalogue.formats.find(({ name }) => name === chosen)?.options ?? [];
  return (
    <div class="fields">
      {[...catalogue.common, ...own]
        .filter(({ key }) => !elsewhere.includes(key))
        .map((info) => (
          <Field
            key={info.key}
            id={`option-${info.key}`}
            info={info}
            value={recording.options[info.key] ?? ''}
            choices={choicesOf(info)}
            onChange={(value) =>
              dispatch({
                type: 'options',
                recording: recording.id,
                change: { [info.key]: value === info.fallback ? null : value },
              })
            }
          />
        ))}
    </div>
  );
}
