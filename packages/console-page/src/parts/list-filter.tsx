import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text';
import { useSearch } from './go';
import type { Paging } from './paging';
import { withStored } from './stored-choice';

interface ListFilterProps {
  /** What the address calls it. */
  name: string;
  label: string;
  value: string | undefined;
  /** Undefined until they are known. */
  options: readonly { value: string; label: string }[] | undefined;
  paging: Paging;
}

/** Narrows a list by one column; the address keeps by what, and the list begins anew. */
export function ListFilter({ name, label, value, options, paging }: ListFilterProps): ReactNode {
  const { say } = useText();
  const [, change] = useSearch();
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={(event) => {
        paging.reset();
        change({ [name]: event.currentTarget.value });
      }}
      data={[{ value: '', label: say('all') }, ...withStored(say, options, value)]}
    />
  );
}

interface StatusFilterProps<S extends string> {
  statuses: readonly S[];
  status: S | undefined;
  nameOf: (status: S) => string;
  paging: Paging;
}

/** Narrows a list to the rows of one state. */
export function StatusFilter<S extends string>({
  statuses,
  status,
  nameOf,
  paging,
}: StatusFilterProps<S>): ReactNode {
  const { say } = useText();
  const options = statuses.map((value) => ({ value, label: nameOf(value) }));
  return (
    <ListFilter
      name="status"
      label={say('state')}
      value={status}
      options={options}
      paging={paging}
    />
  );
}
