-- SPDX-License-Identifier: MIT
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity tb is end;
architecture a of tb is
  type state is (idle, run, stop);
  signal clk : std_logic := '0'; signal v : std_logic_vector(7 downto 0) := "UUUUUUUU"; signal n : integer := 0; signal s : state := idle; signal x : real := 1.5; signal b : boolean;
begin
  process begin
    for k in 0 to 30 loop
      clk <= not clk; n <= n - 3; v <= std_logic_vector(to_unsigned(k * 7 mod 256, 8)); x <= x * 1.5; b <= not b;
      if k mod 3 = 0 then s <= run; else s <= stop; end if;
      wait for 1500 ps;
    end loop;
    v <= "1Z0XWLH-"; wait for 1 ns; wait;
  end process;
end;
