import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { canVibrate, isSoundOn, setSound } from './effects.ts';

export function SoundSwitch() {
  const { t } = useI18n();
  const [isOn, setOn] = useState(isSoundOn);
  const toggle = () => {
    setSound(!isOn);
    setOn(!isOn);
  };
  return (
    <button type="button" class="quiet" aria-pressed={isOn} onClick={toggle}>
      <Icon name={isOn ? 'sound' : 'silent'} /> {canVibrate ? t.soundAndVibration : t.sound}
    </button>
  );
}
